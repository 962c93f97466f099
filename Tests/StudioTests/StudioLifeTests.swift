import Foundation
import Testing

/// The beginning and the end of a studio.
@Suite(.enabled(if: StudioProcess.executable != nil, StudioProcess.reason))
struct StudioLifeTests {
    @Test(arguments: [SIGINT, SIGTERM])
    func `A signal ends it, with open connections too`(signal: Int32) throws {
        let studio = try StudioProcess()
        let idle = try #require(RawClient(port: studio.port))
        let busy = try #require(RawClient(port: studio.port))
        let head = studio.pageHeaders.map { "\($0.0): \($0.1)\r\n" }.joined()
        busy.send("GET \(studio.path)api/events HTTP/1.1\r\n\(head)\r\n".utf8)
        #expect(busy.receive() != nil)
        let start = ContinuousClock.now
        #expect(studio.end(signal) == 0)
        #expect(ContinuousClock.now - start < .seconds(20))
        withExtendedLifetime(idle) { #expect(RawClient(port: studio.port) == nil) }
    }

    @Test func `The printed address opens the page, as a browser does it`() throws {
        let studio = try StudioProcess()
        let opened = studio.sendOutside(
            "GET", "/?token=\(studio.token)", [("Host", studio.host), ("Sec-Fetch-Site", "none")])
        #expect(opened.status == 303, "\(opened.text)")
        #expect(opened.header("Location") == studio.path)
        let cookie = try #require(opened.header("Set-Cookie")?.split(separator: ";").first)
        #expect(String(cookie) == studio.cookie)
        #expect(
            opened.header("Set-Cookie")?.hasSuffix("; HttpOnly; SameSite=Strict; Path=\(studio.path)") == true
        )
        #expect(studio.send("GET", "/", [("Host", studio.host), ("Cookie", String(cookie))]).status == 200)
    }

    @Test func `Two studios have different tokens and ports`() throws {
        let first = try StudioProcess()
        let second = try StudioProcess()
        #expect(first.port != second.port && first.token != second.token && first.path != second.path)
        let mixed = second.send("GET", "/api/studio", second.headers(["Cookie": first.cookie]))
        #expect(mixed.status == 403)
    }

    @Test func `A port that is in use is an error with a remedy`() throws {
        let studio = try StudioProcess()
        do {
            _ = try StudioProcess(["--port", "\(studio.port)"])
            Issue.record("both listen at port \(studio.port)")
        } catch let error as StudioProcess.StartError {
            #expect(error.text.contains("SC2108") && error.text.contains("--port"), "\(error.text)")
        }
    }

    @Test func `An export of all rows is complete, over the socket`() throws {
        let studio = try StudioProcess()
        let response = studio.send(
            "GET", "/api/export?request=Player&fields=score&order=score", studio.pageHeaders)
        #expect(response.status == 200)
        #expect(response.header("Transfer-Encoding") == "chunked")
        let numbers = response.body.split(whereSeparator: \.isNewline).compactMap { Int($0) }
        #expect(numbers == Array(1...200), "\(response.text)")
    }
}
