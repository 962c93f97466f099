import Foundation
import Testing

/// Requests that other pages and other programs can send, to a studio that may write: they read nothing and change nothing.
@Suite(.enabled(if: StudioProcess.executable != nil, StudioProcess.reason))
struct ForeignRequestTests {
    private static let targets = [
        "/", "/api/studio", "/api/query?request=Player", "/api/export?request=Player", "/api/events",
    ]
    private static let change = #"{"changes":[{"delete":"Game:1","version":1}]}"#

    /// Expects that no request with these headers is answered with contents, and that the store stays the same.
    private func expectRefusal(
        _ studio: StudioProcess, _ headers: [(String, String)],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for target in Self.targets {
            let response = studio.send("GET", target, headers)
            #expect(
                response.status == 403, "\(target) \(headers) \(response.text)",
                sourceLocation: sourceLocation)
            expectNoContents(response, studio, sourceLocation)
        }
        let changing = headers + [("Content-Type", "application/json"), ("X-Studio-Token", studio.token)]
        let response = studio.send("POST", "/api/change", changing, body: Self.change)
        #expect(response.status == 403, "\(headers) \(response.text)", sourceLocation: sourceLocation)
        expectNoContents(response, studio, sourceLocation)
    }

    private func expectNoContents(
        _ response: RawResponse, _ studio: StudioProcess, _ location: SourceLocation
    ) {
        for secret in [StudioStore.planted, studio.token, "Player", "Set-Cookie", "<html", "Access-Control"] {
            #expect(!response.text.contains(secret), "\(response.text)", sourceLocation: location)
        }
    }

    @Test func `The page's own requests are answered`() throws {
        let studio = try StudioProcess()
        let query = studio.send("GET", "/api/query?request=Player", studio.pageHeaders)
        #expect(query.status == 200)
        #expect(query.body.contains(StudioStore.planted))
        #expect(studio.send("GET", "/", studio.pageHeaders).body.contains("<html"))
        #expect(
            studio.send(
                "GET", "/api/query?request=Player", studio.headers(["Origin": "http://\(studio.host)"])
            ).status == 200)
    }

    @Test func `Another host name is refused`() throws {
        let studio = try StudioProcess(["--write"])
        let before = try studio.contents()
        for host in [
            "evil.com", "evil.com:\(studio.port)", "127.0.0.1", "127.0.0.1.evil.com:\(studio.port)",
            "localhost:1", "",
        ] {
            try expectRefusal(studio, studio.headers(["Host": host]))
        }
        #expect(try studio.contents() == before)
        #expect(studio.isRunning)
    }

    @Test func `A request without a host, or with two, is refused`() throws {
        let studio = try StudioProcess()
        let none = studio.send("GET", "/api/query?request=Player", studio.headers(["Host": nil]))
        #expect(none.status == 400 || none.status == 403, "\(none.text)")
        let old = studio.sendRaw(
            "GET \(studio.path)api/query?request=Player HTTP/1.0\r\nCookie: \(studio.cookie)\r\n\r\n")
        #expect(old.status == 403, "\(old.text)")
        let two = studio.send(
            "GET", "/api/query?request=Player", studio.pageHeaders + [("Host", studio.host)])
        #expect(two.status != 200, "\(two.text)")
        for response in [none, old, two] { #expect(!response.text.contains(StudioStore.planted)) }
        #expect(studio.isRunning)
    }

    @Test func `Another origin is refused, even with the cookie`() throws {
        let studio = try StudioProcess(["--write"])
        let before = try studio.contents()
        for origin in [
            "http://evil.com", "null", "http://localhost:\(studio.port + 1)", "https://\(studio.host)",
            "file://",
        ] {
            try expectRefusal(studio, studio.headers(["Origin": origin]))
        }
        for site in ["cross-site", "same-site"] {
            try expectRefusal(studio, studio.headers(["Sec-Fetch-Site": site]))
        }
        #expect(try studio.contents() == before)
        #expect(studio.isRunning)
    }

    @Test func `No token, or a wrong one, is refused`() throws {
        let studio = try StudioProcess(["--write"])
        let before = try studio.contents()
        let name = "storectl-studio-\(studio.port)"
        let wrong = String(studio.token.reversed())
        for cookie in [
            nil, "", "\(name)=", "\(name)=\(wrong)", "\(name)=\(studio.token.dropLast())",
            "x=\(studio.token)",
        ] {
            try expectRefusal(studio, studio.headers(["Cookie": cookie]))
        }
        for token in ["", "0", wrong] {
            let opened = studio.sendOutside("GET", "/?token=\(token)", [("Host", studio.host)])
            #expect(opened.status == 403, "\(opened.text)")
            #expect(opened.header("Set-Cookie") == nil)
        }
        for target in Self.targets {
            // A server at another port gets the cookie of an old browser, but doesn't know the path.
            let outside = studio.sendOutside("GET", target, studio.pageHeaders)
            #expect(outside.status == 403, "\(outside.text)")
            expectNoContents(outside, studio, #_sourceLocation)
        }
        #expect(try studio.contents() == before)
        #expect(studio.isRunning)
    }

    @Test func `A change without the page's own token is refused, even with the cookie`() throws {
        let studio = try StudioProcess(["--write"])
        let before = try studio.contents()
        let json = ("Content-Type", "application/json")
        for more in [
            [json], [json, ("X-Studio-Token", "0")], [json, ("X-Studio-Token", studio.token)],
            [("Content-Type", "text/plain")], [("Content-Type", "application/x-www-form-urlencoded")],
        ] {
            let response = studio.send("POST", "/api/change", studio.pageHeaders + more, body: Self.change)
            #expect(response.status == 403 || response.status == 400, "\(more) \(response.text)")
        }
        #expect(try studio.contents() == before)
    }

    @Test func `A body whose end is ambiguous is refused, and nothing after it is answered`() throws {
        let studio = try StudioProcess(["--write"])
        let before = try studio.contents()
        let page = studio.pageHeaders.map { "\($0.0): \($0.1)\r\n" }.joined()
        let hidden = "GET \(studio.path)api/query?request=Player HTTP/1.1\r\n\(page)\r\n"
        let framings = [
            "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "Content-Length: 0\r\nContent-Length: \(hidden.utf8.count)\r\n\r\n", "Content-Length: -1\r\n\r\n",
            "Content-Length: +5\r\n\r\n", "Content-Length: 99999999999999999999\r\n\r\n",
            "Transfer-Encoding: xchunked\r\n\r\n",
            "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n", "Content-Length: 1\r\n\r\n",
        ]
        for method in ["POST \(studio.path)api/change", "GET \(studio.path)api/status"] {
            for framing in framings {
                let response = studio.sendRaw("\(method) HTTP/1.1\r\n\(page)\(framing)\(hidden)")
                #expect(response.status != 200, "\(method) \(framing) \(response.text)")
                // libmicrohttpd's own responses to invalid headers don't have this one.
                let answers = response.text.components(separatedBy: "Content-Security-Policy:").count - 1
                #expect(answers <= 1, "\(method) \(framing) \(response.text)")
                #expect(!response.text.contains(StudioStore.planted), "\(method) \(framing) \(response.text)")
            }
        }
        #expect(try studio.contents() == before)
        #expect(studio.isRunning)
    }

    @Test func `Script in values and names is sent as JSON that a browser doesn't run`() throws {
        let studio = try StudioProcess()
        let targets = [
            "/api/get?object=Game:2", "/api/query?request=Game", "/api/query?request=%3Cscript%3E",
            "/%3Cscript%3E",
            "/api/inspect/entity?entity=%3Cimg%20src=x%20onerror=alert(1)%3E",
            "/api/%3Cscript%3Ealert(1)%3C/script%3E",
        ]
        for target in targets {
            let response = studio.send("GET", target, studio.pageHeaders)
            #expect(response.header("Content-Type") == "application/json; charset=utf-8", "\(response.text)")
            #expect(response.header("X-Content-Type-Options") == "nosniff")
            #expect(response.header("Content-Security-Policy")?.contains("default-src 'none'") == true)
        }
        #expect(studio.send("GET", targets[0], studio.pageHeaders).body.contains("<script>"))
        let refused = studio.sendOutside("GET", "/?token=%3Cscript%3E", [("Host", studio.host)])
        #expect(!refused.text.contains("<script>"), "\(refused.text)")
    }

    @Test func `The server is at one address of this machine`() throws {
        let studio = try StudioProcess()
        #expect(RawClient(port: studio.port) != nil)
        // Another loopback address: a socket for all addresses would accept it, and those of the network too.
        #expect(RawClient(port: studio.port, host: "127.0.0.2") == nil)
    }
}
