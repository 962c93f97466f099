/// Decides by its head whether a request comes from the page that this server serves.
///
/// Any program of this machine can connect to a loopback address, and any page in the user's browser can make the browser send requests to
/// it. The checks of `Host` stop a page whose domain resolves to this machine (DNS rebinding), those of `Origin` and `Sec-Fetch-Site` stop
/// other pages, and the cookie stops everything that doesn't know the token.
///
/// Browsers send the cookies of a host to all of its ports, so another server of this machine would get the token. They don't send them to
/// other paths: everything is below a random path, which another server can't make a browser request.
package struct RequestGate: Sendable {
    /// Why a request is refused.
    package enum Refusal: Sendable, Equatable {
        case host, origin, framing, method, tooManyHeaders
        /// The request has no cookie with the token.
        case notAuthenticated
    }

    private static let maximumHeaderCount = 64
    private let hosts: Set<String>
    private let port: Int
    private let token: SecretToken
    private let path: SecretToken

    /// - Parameters:
    ///   - port: The port that the server listens on.
    ///   - token: The value of the cookie.
    ///   - path: The first segment of all paths.
    package init(port: Int, token: SecretToken, path: SecretToken) {
        self.port = port
        self.token = token
        self.path = path
        let names = ["localhost", "127.0.0.1", "[::1]"]
        // A browser leaves out the port 80.
        hosts = Set(names.map { "\($0):\(port)" } + (port == 80 ? names : []))
    }

    /// The name of the cookie.
    ///
    /// Cookies don't depend on the port, so the name contains it: several servers can run at once.
    package var cookieName: String { "storectl-studio-\(port)" }

    /// Returns why the request comes from elsewhere; nil if it may come from the page or from the user, with or without the cookie.
    package func originRefusal(of head: HTTPRequestHead) -> Refusal? {
        if head.headers.count > Self.maximumHeaderCount { return .tooManyHeaders }
        if !head.headers.allSatisfy(Self.isValid) { return .framing }
        let host = head.values(of: "Host")
        guard host.count == 1, hosts.contains(host[0].lowercased()) else { return .host }
        let origin = head.values(of: "Origin")
        if !origin.isEmpty, origin.map({ $0.lowercased() }) != ["http://" + host[0].lowercased()] {
            return .origin
        }
        // "same-site" is a page of another port. "none" is the user, who opened the address.
        let site = head.values(of: "Sec-Fetch-Site")
        if !site.isEmpty, site != ["same-origin"], site != ["none"] { return .origin }
        return framingRefusal(of: head) ?? (["GET", "POST"].contains(head.method) ? nil : .method)
    }

    /// Whether the name is a token of HTTP, and the value has no control characters.
    ///
    /// libmicrohttpd takes the space in `Transfer-Encoding : chunked` for a part of the name, and other programs don't.
    private static func isValid(_ header: HTTPRequestHead.Item) -> Bool {
        let isToken = header.name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
        }
        let hasControls = header.value.utf8.contains { $0 < 32 && $0 != UInt8(ascii: "\t") || $0 == 127 }
        return isToken && !header.name.isEmpty && !hasControls
    }

    /// Refuses requests whose end two programs could see at different places.
    private func framingRefusal(of head: HTTPRequestHead) -> Refusal? {
        let lengths = head.values(of: "Content-Length")
        let encodings = head.values(of: "Transfer-Encoding")
        if lengths.count > 1 || !encodings.isEmpty { return .framing }
        if let length = lengths.first, length.isEmpty || !length.utf8.allSatisfy({ (48...57).contains($0) }) {
            return .framing
        }
        // Browsers send no body with GET.
        return head.method == "GET" && !["0", nil].contains(lengths.first) ? .framing : nil
    }

    /// Returns why the request is refused: because it comes from elsewhere, or has not the random path and the cookie with the token.
    package func refusal(of head: HTTPRequestHead) -> Refusal? {
        if let refusal = originRefusal(of: head) { return refusal }
        let cookies = head.cookies(cookieName)
        let isKnown = cookies.count == 1 && token.matches(cookies[0]) && target(of: head) != nil
        return isKnown ? nil : .notAuthenticated
    }

    /// Returns the target below the random path; nil if the request is for another path.
    package func target(of head: HTTPRequestHead) -> RequestTarget? {
        head.target.split.flatMap { path.matches($0.first) ? $0.rest : nil }
    }

    /// The path of the page.
    package var pagePath: String { "/\(path.text)/" }

    /// The value of the header `Set-Cookie` that makes a browser send the token with each request of this page.
    package var cookie: String {
        "\(cookieName)=\(token.text); HttpOnly; SameSite=Strict; Path=\(pagePath)"
    }
}
