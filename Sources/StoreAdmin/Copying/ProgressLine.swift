import Dispatch
import Synchronization

/// Says on standard error how far something is that takes longer than a second.
///
/// A terminal has one line for it, which is written anew every second; a log has a line every ten. When a part of the work of which
/// anything was said is done, that is said too.
///
/// State: how far it is, guarded by a mutex.
final class ProgressLine: Sendable {
    private struct State {
        /// The part of the work that is under way.
        var part = ""
        var begun: ContinuousClock.Instant
        /// When something was said last, or the part began.
        var said: ContinuousClock.Instant
        /// When anything was heard last.
        var heard: ContinuousClock.Instant
        var done: Int?
        var wasSaid = false
        /// How many letters stand on a terminal's line.
        var shown = 0
        var isOver = false
    }

    private let output: Output
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state: Mutex<State>

    init(_ output: Output, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.output = output
        self.now = now
        let start = now()
        state = Mutex(State(begun: start, said: start, heard: start))
    }

    deinit { finish() }

    private var isTerminal: Bool { output.messageStyle.width != nil }
    private var pause: Duration { isTerminal ? .seconds(1) : .seconds(10) }

    /// Hears how far a part of the work is.
    ///
    /// - Parameters:
    ///   - part: What is under way.
    ///   - done: How many of its things are done; nil where that can't be told.
    ///   - all: How many there are; nil where nobody knows.
    func tell(_ part: String, _ done: Int? = nil, of all: Int? = nil) {
        state.withLock { state in
            if state.isOver { return }
            if state.part != part { begin(part, &state) }
            let now = now()
            state.heard = now
            state.done = done
            guard now - state.said >= pause else { return }
            state.said = now
            state.wasSaid = true
            say(Self.sentence(state, of: all), &state)
        }
    }

    /// Hears that a part of the work begins only now.
    func start(_ part: String) {
        state.withLock { state in
            end(&state)
            state.heard = now()
            begin(part, &state)
        }
    }

    /// Hears that all is done; nothing is said afterwards.
    func finish() {
        state.withLock { state in
            end(&state)
            state.isOver = true
        }
    }

    private func begin(_ part: String, _ state: inout State) {
        end(&state)
        state.part = part
        // What is heard of first has been under way since the last thing was heard of.
        (state.begun, state.said) = (state.heard, state.heard)
        (state.done, state.wasSaid) = (nil, false)
    }

    private func end(_ state: inout State) {
        guard state.wasSaid else { return }
        state.wasSaid = false
        let count = state.done.map { ": \(Quantity.count($0))" } ?? ":"
        say("\(state.part)\(count) done in \(Quantity.time(state.heard - state.begun))", &state)
        if isTerminal, !output.isQuiet { output.message("\n") }
        state.shown = 0
    }

    private static func sentence(_ state: State, of all: Int?) -> String {
        let time = state.heard - state.begun
        guard let done = state.done else { return "\(state.part): \(Quantity.time(time)) by now" }
        let seconds = max(time / .seconds(1), 0.001)
        let rate = Double(done) / seconds
        var text = "\(state.part): \(Quantity.count(done))"
        if let all { text += " of \(Quantity.count(all))" }
        text += ", \(Quantity.count(Int(rate))) a second"
        if let all, rate >= 1, all > done {
            text += ", \(Quantity.time(.seconds(Double(all - done) / rate))) left"
        }
        return text
    }

    /// Writes a line, on a terminal over the one before.
    private func say(_ text: String, _ state: inout State) {
        guard isTerminal else { return output.note(text) }
        if output.isQuiet { return }
        // A line that breaks can't be written over.
        let line = String(text.prefix(max(1, (output.messageStyle.width ?? 80) - 1)))
        let rest = String(repeating: " ", count: max(0, state.shown - line.count))
        output.message("\r" + line + rest)
        state.shown = line.count
    }
}

extension ProgressLine {
    /// Does something of which nobody knows how far it is, and says every now and then that it goes on.
    static func during<Value>(
        _ what: String, _ output: Output, _ work: () throws -> Value
    ) rethrows -> Value {
        let progress = ProgressLine(output)
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "progress"))
        timer.schedule(deadline: .now() + 1, repeating: 1)
        timer.setEventHandler { progress.tell(what) }
        timer.resume()
        defer {
            timer.cancel()
            progress.finish()
        }
        return try work()
    }
}
