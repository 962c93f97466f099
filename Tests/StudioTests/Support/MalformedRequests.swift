import RandomSeeds

/// Requests that are damaged at random, the same for the same seed.
struct MalformedRequests {
    struct Request {
        let bytes: [UInt8]
        /// Whether the request had no token before it was damaged.
        let isAnonymous: Bool
    }

    private var random: SeededRandom
    private let anonymous: [[UInt8]]
    private let ofPage: [[UInt8]]

    init(seed: UInt64, _ studio: StudioProcess) {
        random = SeededRandom(seed: seed)
        let lines = [
            "GET / HTTP/1.1", "GET \(studio.path)api/query?request=Player&where=score%20%3E%201 HTTP/1.1",
            "GET \(studio.path)api/export?request=Game HTTP/1.1",
            "POST \(studio.path)api/change HTTP/1.1", "GET /?token=0123456789abcdef HTTP/1.1",
            "OPTIONS * HTTP/1.1",
            "GET \(studio.path)api/get?object=Game:1 HTTP/1.0",
        ]
        let body = #"{"changes":[{"delete":"Game:1","version":1}]}"#
        func request(_ line: String, _ cookie: String) -> [UInt8] {
            let isPost = line.hasPrefix("POST")
            let more =
                isPost ? "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n" : ""
            return Array("\(line)\r\nHost: \(studio.host)\r\n\(cookie)\(more)\r\n\(isPost ? body : "")".utf8)
        }
        anonymous = lines.map { request($0, "") }
        ofPage = lines.map { request($0, "Cookie: \(studio.cookie)\r\n") }
    }

    mutating func next() -> Request {
        let isAnonymous = Bool.random(using: &random)
        var bytes = (isAnonymous ? anonymous : ofPage).randomElement(using: &random) ?? []
        for _ in 0..<Int.random(in: 1...6, using: &random) { damage(&bytes) }
        return Request(bytes: bytes, isAnonymous: isAnonymous)
    }

    /// The texts that parsers of HTTP have stumbled over.
    private static let odd = [
        "\r\n", "\n", "\r", "\0", " ", "\t", ":", "%00", "%", "%zz", "../", "//", "?", "&&", "=", ";",
        "\r\n\r\n", "Transfer-Encoding: chunked\r\n",
        "Content-Length: 5\r\n", "Content-Length: -1\r\n", "Host: evil\r\n", "Expect: 100-continue\r\n",
        "Connection: Upgrade\r\nUpgrade: websocket\r\n",
        "HTTP/9.9", "HTTP/1.1", "ffffffffffffffff\r\n", "Cookie: a=b; c\r\n", "\u{FEFF}", "é",
        "Range: bytes=0-99999999999\r\n",
    ]

    private mutating func damage(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        let place = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...20, using: &random)))
        case 2: bytes = Array(bytes[..<place])
        case 3: bytes.insert(contentsOf: bytes[place...].prefix(100), at: place)
        case 4:
            bytes.insert(
                contentsOf: (0..<Int.random(in: 1...50, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }, at: place)
        case 5:
            bytes.insert(
                contentsOf: [UInt8](repeating: bytes[place], count: Int.random(in: 1...3000, using: &random)),
                at: place)
        default:
            bytes.insert(contentsOf: Array((Self.odd.randomElement(using: &random) ?? "").utf8), at: place)
        }
    }
}
