import Dispatch
import Foundation

/// The terminal of the program, in raw mode on the alternate screen until it is restored.
///
/// It is restored when the program exits, is ended by a signal, or crashes, but not after `kill -9`.
@MainActor final class Terminal {
    /// An event of the terminal.
    enum Event: Sendable {
        case keys([UInt8])
        case resized
        /// A signal asked the program to end, or its input was closed.
        case ended
    }

    private let sources: [any DispatchSourceSignal]
    /// The events in order.
    let events: AsyncStream<Event>
    private let sink: AsyncStream<Event>.Continuation

    /// Switches the terminal to raw mode; nil if the input or output isn't a terminal.
    init?() {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, TerminalMode.begin() else {
            return nil
        }
        let (events, sink) = AsyncStream.makeStream(of: Event.self)
        (self.events, self.sink) = (events, sink)
        sources = [(SIGWINCH, Event.resized), (SIGINT, .ended), (SIGTERM, .ended), (SIGHUP, .ended)].map {
            signal($0, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: $0, queue: .global())
            let event = $1
            // Sendable, because it runs on a queue and not on the main actor.
            source.setEventHandler { @Sendable in sink.yield(event) }
            source.resume()
            return source
        }
        readKeys()
    }

    /// Reads keys on a separate thread, because a read blocks.
    private func readKeys() {
        let sink = sink
        Thread {
            var buffer = [UInt8](repeating: 0, count: 256)
            while true {
                let count = read(STDIN_FILENO, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                sink.yield(.keys(Array(buffer[..<count])))
            }
            sink.yield(.ended)
        }.start()
    }

    /// The size in cells.
    var size: (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Replaces the lines on the screen.
    func show(_ lines: [[Screen.Span]]) {
        var text = "\u{1B}[H"
        for (row, spans) in lines.enumerated() {
            for span in spans { text += span.style.sequence + span.text + "\u{1B}[0m" }
            // A line feed after the last line would scroll.
            if row < lines.count - 1 { text += "\r\n" }
        }
        write(text)
    }

    private func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR, errno != EAGAIN { return }
            if count > 0 { bytes.removeFirst(count) }
        }
    }

    /// Restores the terminal's previous mode and screen.
    func restore() {
        for source in sources { source.cancel() }
        sink.finish()
        TerminalMode.restore()
    }
}

extension Screen.Style {
    /// The escape sequence that selects the style: reverse video, faint, red.
    fileprivate var sequence: String {
        switch self {
        case .plain: ""
        case .bar: "\u{1B}[7m"
        case .faint: "\u{1B}[2m"
        case .alert: "\u{1B}[31m"
        }
    }
}
