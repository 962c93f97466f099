import ContextCore
import Foundation
import LoopbackServer
import Testing

@testable import StoreAdmin

struct StudioEventsTests {
    /// A source that sends some events and ends, or fails.
    private struct Source: StudioEventSource {
        let events: [LiveEvent]
        var error: AdminError?

        func sendEvents(after save: Int64?, to sink: StudioEventSink) throws {
            for event in events { try sink.send(event) }
            if let error { throw error }
        }
    }

    /// A source that sends nothing until the page is gone, and then signals.
    private struct SilentSource: StudioEventSource {
        let ended = ThreadSignal()

        func sendEvents(after save: Int64?, to sink: StudioEventSink) throws {
            while sink.isOpen { Thread.sleep(forTimeInterval: 0.01) }
            ended.signal()
        }
    }

    @Test func `Events are server-sent events of one line of JSON`() throws {
        let events = [
            LiveEvent(name: .save, id: 7, data: .object(["author": .string("a\nb\r\n\nevent: x")])),
            LiveEvent(name: .rates, data: .null),
        ]
        let studio = try StudioBench(source: Source(events: events))
        let outcome = try studio.get("/api/events")
        #expect(outcome.status == 200)
        #expect(outcome.header("Content-Type") == "text/event-stream; charset=utf-8")
        #expect(
            outcome.text == """
                retry: 3000

                event: save
                id: 7
                data: {"author":"a\\nb\\r\\n\\nevent: x"}

                event: rates
                data: null


                """)
    }

    @Test func `The page gets the error of a source that fails`() throws {
        let studio = try StudioBench(source: Source(events: [], error: .refused("no \"such\" thing")))
        let text = try studio.get("/api/events").text
        #expect(text.contains("event: error\ndata: {\"error\":{\"code\":\"SC3003\""), "\(text)")
    }

    @Test func `Secrets are removed from events`() throws {
        let event = LiveEvent(name: .activity, data: .array([.string("password is pa55word")]))
        let studio = try StudioBench(source: Source(events: [event]))
        studio.site.commands.tool.environment.secrets.register("pa55word")
        let text = try studio.get("/api/events").text
        #expect(text.contains("password is ***"), "\(text)")
    }

    @Test func `A page that is gone ends its source, and makes room for another`() throws {
        let source = SilentSource()
        let studio = try StudioBench(source: source)
        let target = try #require(RequestTarget("/\(studio.access.path.text)/api/events"))
        let head = HTTPRequestHead(method: "GET", target: target, headers: [])
        var streams: [any ResponseStream] = []
        for number in 1...17 {
            let response = studio.site.response(to: HTTPRequest(head: head))
            #expect(response.status == (number <= 16 ? 200 : 503), "\(number)")
            if case .stream(let stream) = response.body {
                _ = try stream.next()
                streams.append(stream)
            }
        }
        for stream in streams { stream.cancel() }
        for _ in streams { #expect(source.ended.wait(.seconds(60))) }
    }

    @Test func `A site without a source has no events`() throws {
        #expect(try StudioBench().get("/api/events").status == 404)
    }
}
