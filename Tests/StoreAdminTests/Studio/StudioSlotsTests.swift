import ContextCore
import Foundation
import LoopbackServer
import Synchronization
import Testing

@testable import StoreAdmin

/// The requests of the page that run at once, and those that wait for their turn.
struct StudioSlotsTests {
    /// A command that runs until the test ends it.
    private struct EndlessCommand: Command {
        let declaration: CommandDeclaration
        let began = ThreadSignal()
        let end = ThreadSignal()

        init(_ words: [String], options: [OptionDeclaration] = []) {
            declaration = CommandDeclaration(words: words, abstract: "", options: options, examples: [])
        }

        func run(_ call: CommandCall) throws -> Report {
            try call.output.data("begun")
            began.signal()
            try #require(end.wait(.seconds(120)))
            return Report("endless", [:]) { _ in "" }
        }
    }

    /// Requests that run on threads of their own.
    private final class Requests: Sendable {
        private let site: StudioSite
        private let path: String
        private let results = Mutex<[String]>([])
        private let answered = ThreadSignal()

        init(_ studio: StudioBench) {
            site = studio.site
            path = "/\(studio.access.path.text)"
        }

        /// Sends a request, and returns its status and the code of its error.
        func result(_ target: String) throws -> String {
            let target = try #require(RequestTarget(path + target))
            let head = HTTPRequestHead(method: "GET", target: target, headers: [])
            let response = site.response(to: HTTPRequest(head: head))
            // A stream of an endless command has no end.
            guard case .bytes = response.body else { return "\(response.status) stream" }
            let outcome = try StudioBench.Outcome(response)
            return "\(outcome.status) \(outcome.json["code"].stringValue ?? "document")"
        }

        func start(_ count: Int, _ target: String) {
            for _ in 0..<count {
                let thread = Thread { [self] in
                    let result = (try? result(target)) ?? "no response"
                    results.withLock { $0.append(result) }
                    answered.signal()
                }
                thread.enlargeStack()
                thread.start()
            }
        }

        /// Waits for responses, and returns those that came since the last call.
        func wait(_ count: Int) -> [String] {
            for _ in 0..<count {
                guard answered.wait(.seconds(60)) else { break }
            }
            return results.withLock { results in
                defer { results = [] }
                return results
            }
        }
    }

    @Test func `A server that stops ends the waits of requests at once`() throws {
        let command = EndlessCommand(["status"])
        let studio = try StudioBench(commands: [command])
        let requests = Requests(studio)
        requests.start(8, "/api/status")
        for _ in 0..<8 { #expect(command.began.wait(.seconds(60))) }
        requests.start(5, "/api/count?request=Game")
        // Without a stop they wait for 30 seconds, and get SC2104.
        studio.site.stop()
        #expect(requests.wait(5) == Array(repeating: "503 SC2107", count: 5))
        #expect(try requests.result("/api/count?request=Game") == "503 SC2107")
        #expect(try requests.result("/api/export?request=Game") == "503 SC2107")
        for _ in 0..<8 { command.end.signal() }
        #expect(requests.wait(8) == Array(repeating: "200 document", count: 8))
    }

    @Test func `Exports that a browser receives slowly delay only other exports`() throws {
        let names = ["entity", "format"]
        let command = EndlessCommand(
            ["data", "export"], options: names.map { .option($0, nil, "NAME", "") })
        let studio = try StudioBench(commands: [command])
        let requests = Requests(studio)
        requests.start(9, "/api/export?request=Game")
        #expect(requests.wait(4) == Array(repeating: "200 stream", count: 4))
        #expect(try requests.result("/api/count?request=Game") == "200 document")
        studio.site.stop()
        #expect(requests.wait(5) == Array(repeating: "503 SC2107", count: 5))
        for _ in 0..<4 { command.end.signal() }
    }
}
