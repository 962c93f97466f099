import Hummingbird
import ServiceLifecycle

extension Response {
    /// Makes a response of server-sent events, which ends when the client disconnects or the server stops.
    init<Events: AsyncSequence & Sendable>(events: Events, to request: Request)
    where Events.Element == ByteBuffer {
        let events = events.cancelOnGracefulShutdown()
        self.init(
            status: .ok,
            headers: [.contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                try await request.body.consumeWithCancellationOnInboundClose { _ in
                    try await writer.write(events)
                    try await writer.finish(nil)
                }
            })
    }
}
