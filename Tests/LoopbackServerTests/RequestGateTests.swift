import Testing

@testable import LoopbackServer

/// What the gate lets through: requests of this server's own page, and nothing else.
struct RequestGateTests {
    private static let token = SecretToken()
    private static let path = SecretToken()
    private let gate = RequestGate(port: 8080, token: token, path: path)

    private static let page: [String: String] = [
        "Host": "127.0.0.1:8080", "Cookie": "storectl-studio-8080=\(token.text)",
        "Sec-Fetch-Site": "same-origin",
    ]

    /// Returns a request of the page, with some headers replaced; nil removes one.
    private func head(
        _ method: String = "GET", _ changes: [String: String?] = [:], twice: [(String, String)] = []
    ) throws -> HTTPRequestHead {
        var headers = Self.page
        for (name, value) in changes { headers[name] = value }
        let items =
            headers.sorted { $0.key < $1.key }.map { HTTPRequestHead.Item($0.key, $0.value) }
            + twice.map { HTTPRequestHead.Item($0.0, $0.1) }
        return HTTPRequestHead(
            method: method, target: try #require(RequestTarget("/\(Self.path.text)/api/status")),
            headers: items)
    }

    @Test(arguments: ["127.0.0.1:8080", "localhost:8080", "LocalHost:8080", "[::1]:8080"])
    func `A request of the page passes by each name of this machine`(host: String) throws {
        #expect(try gate.refusal(of: head("GET", ["Host": host])) == nil)
        #expect(try gate.refusal(of: head("POST", ["Host": host, "Origin": "http://\(host)"])) == nil)
    }

    @Test(arguments: [
        nil, "", "127.0.0.1", "localhost", "127.0.0.1:8081", "evil.com:8080", "evil.com",
        "127.0.0.1:8080.evil.com",
        "localhost.evil.com:8080", "127.0.0.1:08080", "0.0.0.0:8080", "127.1:8080", "2130706433:8080",
        "user@127.0.0.1:8080", "127.0.0.1:8080 ", "localhost.:8080",
    ])
    func `A request with another host is refused`(host: String?) throws {
        #expect(try gate.refusal(of: head("GET", ["Host": host])) == .host)
    }

    @Test func `A request with two hosts is refused`() throws {
        #expect(try gate.refusal(of: head(twice: [("host", "127.0.0.1:8080")])) == .host)
        #expect(try gate.refusal(of: head(twice: [("HOST", "evil.com")])) == .host)
    }

    @Test(arguments: [
        "http://evil.com", "https://127.0.0.1:8080", "http://127.0.0.1:8081", "http://localhost:8080", "null",
        "",
        "http://127.0.0.1:8080/", "http://127.0.0.1",
    ])
    func `A request of another origin is refused, even with the cookie`(origin: String) throws {
        #expect(try gate.refusal(of: head("GET", ["Origin": origin])) == .origin)
        #expect(try gate.refusal(of: head("POST", ["Origin": origin])) == .origin)
        let own = ("Origin", "http://127.0.0.1:8080")
        #expect(try gate.refusal(of: head("POST", ["Origin": origin], twice: [own])) == .origin)
    }

    @Test(arguments: ["cross-site", "same-site", "", "other"])
    func `A request that the browser makes for another site is refused`(site: String) throws {
        #expect(try gate.refusal(of: head("GET", ["Sec-Fetch-Site": site])) == .origin)
    }

    @Test(arguments: ["none", "same-origin", nil])
    func `A request of the user, or of an older browser, passes`(site: String?) throws {
        #expect(try gate.refusal(of: head("GET", ["Sec-Fetch-Site": site])) == nil)
    }

    @Test func `A request without the right cookie is refused`() throws {
        let name = "storectl-studio-8080"
        let token = Self.token.text
        let wrong = [
            nil, "", token, "\(name)=", "\(name)=\(token)0", "\(name)=\(token.dropLast())", "other=\(token)",
            "\(name)=\(SecretToken().text)", "storectl-studio-8081=\(token)",
            "\(name)=\(token); \(name)=\(token)",
        ]
        for cookie in wrong {
            #expect(
                try gate.refusal(of: head("GET", ["Cookie": cookie])) == .notAuthenticated, "\(cookie ?? "")")
            #expect(try gate.originRefusal(of: head("GET", ["Cookie": cookie])) == nil)
        }
        #expect(try gate.refusal(of: head("GET", ["Cookie": "a=1; \(name)=\(token);b=2"])) == nil)
    }

    @Test func `A request for another path is refused, even with the cookie`() throws {
        let name = "storectl-studio-8080"
        for path in [
            "/", "/api/status", "/\(SecretToken().text)/", "//", "/\(Self.path.text)", "/\(Self.path.text)0/",
        ] {
            guard let target = RequestTarget(path) else { continue }
            let head = HTTPRequestHead(
                method: "GET", target: target,
                headers: [.init("Host", "localhost:8080"), .init("Cookie", "\(name)=\(Self.token.text)")])
            #expect(gate.refusal(of: head) == .notAuthenticated, "\(path)")
            #expect(gate.target(of: head) == nil, "\(path)")
        }
        #expect(try gate.target(of: head()) == RequestTarget("/api/status"))
        #expect(gate.pagePath == "/\(Self.path.text)/")
    }

    @Test(arguments: ["HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "PATCH", ""])
    func `Other methods are refused`(method: String) throws {
        #expect(try gate.refusal(of: head(method)) == .method)
    }

    @Test func `A request whose end is ambiguous is refused`() throws {
        #expect(try gate.refusal(of: head("POST", ["Content-Length": "10"])) == nil)
        #expect(try gate.refusal(of: head("GET", ["Content-Length": "0"])) == nil)
        #expect(try gate.refusal(of: head("GET", ["Content-Length": "1"])) == .framing)
        #expect(try gate.refusal(of: head("POST", ["Transfer-Encoding": "chunked"])) == .framing)
        let lengths = ["+1", "-1", " 1", "1, 1", "0x1", "", "1e3", "１"]
        for length in lengths {
            #expect(try gate.refusal(of: head("POST", ["Content-Length": length])) == .framing, "\(length)")
        }
        let twice = try head("POST", ["Content-Length": "1"], twice: [("content-length", "1")])
        #expect(gate.refusal(of: twice) == .framing)
    }

    @Test(arguments: [
        ("Transfer-Encoding ", "chunked"), ("", "1"), ("X Y", "1"), ("X\t", "1"), ("Ä", "1"), ("X:", "1"),
        ("X", "a\rb"), ("X", "a\nb"), ("X", "\0"), ("X", "\u{7F}"),
    ])
    func `A header that programs read differently is refused`(name: String, value: String) throws {
        #expect(try gate.refusal(of: head(twice: [(name, value)])) == .framing)
        #expect(try gate.refusal(of: head(twice: [("X-Y.z", "a\tÄ")])) == nil)
    }

    @Test func `A request with many headers is refused`() throws {
        let many = (0..<64).map { ("X-\($0)", "1") }
        #expect(try gate.refusal(of: head(twice: many)) == .tooManyHeaders)
        #expect(try gate.refusal(of: head(twice: many.dropLast(10))) == nil)
    }

    @Test func `Only the default port can be left out of the host`() throws {
        let plain = RequestGate(port: 80, token: Self.token, path: Self.path)
        #expect(try plain.originRefusal(of: head("GET", ["Host": "localhost"])) == nil)
        #expect(try plain.originRefusal(of: head("GET", ["Host": "localhost:80"])) == nil)
    }

    @Test func `The cookie is unreadable for scripts, and isn't sent for other sites`() {
        #expect(
            gate.cookie
                == "storectl-studio-8080=\(Self.token.text); HttpOnly; SameSite=Strict; Path=/\(Self.path.text)/"
        )
    }
}
