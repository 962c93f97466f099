import ContextCore
import Foundation
import LoopbackServer
import Synchronization

/// A source of a store's events.
protocol StudioEventSource: Sendable {
    /// Sends events until `sink` reports that the page was closed; the server calls it on a separate thread for each open page.
    ///
    /// - Parameter save: The number of the last save that the page has, if it had lost its connection.
    /// - Throws: The error of ``StudioEventSink/send(_:)``, or any other one, which the page gets as an event.
    func sendEvents(after save: Int64?, to sink: StudioEventSink) throws
}

/// Follows the store of the studio.
struct StoreEventSource: StudioEventSource {
    let commands: StudioCommands

    func sendEvents(after save: Int64?, to sink: StudioEventSink) throws {
        let events = LiveEvents(try commands.store(), commands.tool, after: save)
        // The pipe itself sends comments, so the page needs none here.
        events.run(until: { !sink.isOpen }) { event in
            event.map { (try? sink.send($0)) != nil } ?? sink.isOpen
        }
    }
}

/// Sends events to one page.
struct StudioEventSink: Sendable {
    fileprivate let pipe: StreamPipe
    fileprivate let secrets: SecretLedger

    /// Sends an event, without secrets, after the page has received the previous one.
    ///
    /// - Throws: `StreamPipe.Cancelled` when the page is gone or the program stops.
    func send(_ event: LiveEvent) throws(StreamPipe.Cancelled) {
        let hidden = LiveEvent(name: event.name, id: event.id, data: event.data.redacted(secrets))
        try pipe.write(Array(hidden.text.utf8))
    }

    /// Whether the page is still there, and the program doesn't stop.
    var isOpen: Bool { !pipe.isCancelled }
}

/// The streams of events to pages, of which only some may be open at once.
final class StudioEvents: Sendable {
    private static let maximumCount = 16
    private let source: any StudioEventSource
    private let commands: StudioCommands
    private let count = Atomic(0)

    init(_ source: any StudioEventSource, _ commands: StudioCommands) {
        self.source = source
        self.commands = commands
    }

    /// Opens a stream, and starts the thread that fills it.
    ///
    /// - Parameter save: The number of the last save that the page has, if it had lost its connection.
    func response(after save: Int64? = nil) -> HTTPResponse {
        guard count.wrappingAdd(1, ordering: .relaxed).newValue <= Self.maximumCount else {
            count.wrappingSubtract(1, ordering: .relaxed)
            return .error(
                AdminError(
                    code: "SC2104", exit: .temporary,
                    message: "\(Self.maximumCount) pages are open, and more get no events.",
                    hint: "Close other tabs of the page."))
        }
        // A comment every five seconds: writing it is what shows that a page is gone.
        let pipe = StreamPipe(heartbeat: (5, Array(":\n\n".utf8)))
        let sink = StudioEventSink(pipe: pipe, secrets: commands.tool.environment.secrets)
        let thread = Thread { [self] in
            defer { count.wrappingSubtract(1, ordering: .relaxed) }
            send(after: save, to: sink)
        }
        thread.enlargeStack()
        thread.start()
        return .studio(200, "text/event-stream; charset=utf-8", .stream(pipe))
    }

    private func send(after save: Int64?, to sink: StudioEventSink) {
        do {
            // The time after which a browser connects again; also the first bytes, so that the page knows that it is connected.
            try sink.pipe.write(Array("retry: 3000\n\n".utf8))
            try source.sendEvents(after: save, to: sink)
        } catch is StreamPipe.Cancelled {
            return
        } catch {
            let document = JSONValue.object(commands.error(error).jsonMembers)
            try? sink.send(LiveEvent(name: .error, data: .object(["error": document])))
        }
        sink.pipe.finish()
    }
}
