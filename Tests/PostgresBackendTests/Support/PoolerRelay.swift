#if Postgres
/// What a pooler makes of the bytes of one connection: a value that decides, and touches no socket.
///
/// It gives each transaction a session as good as new, and tells the client of a server process that isn't the one.
struct PoolerRelay {
    /// What goes where.
    struct Passing: Equatable {
        var toClient: [UInt8] = []
        var toServer: [UInt8] = []
    }

    private let forgets: Bool
    private var hasStarted = false
    private var orders = MessageBuffer()
    private var answers = MessageBuffer()
    /// How many answers the server has yet to end; the first one is that to the beginning.
    private var unanswered = 1
    /// The end of an answer that the client gets once the session is as good as new.
    private var held: [UInt8]?
    /// What the client says meanwhile.
    private var waiting: [UInt8] = []

    /// - Parameter forgets: Whether the session that a transaction had is another one's afterwards, and not the same again by chance.
    init(forgets: Bool) { self.forgets = forgets }

    /// A client that asks for encryption first is told that there is none.
    mutating func order(_ bytes: [UInt8]) -> Passing {
        if !hasStarted {
            if bytes.count == 8 { return Passing(toClient: [UInt8(ascii: "N")]) }
            hasStarted = true
            return Passing(toServer: bytes)
        }
        orders.bytes += bytes
        while let message = orders.next() {
            if message[0] == UInt8(ascii: "Q") || message[0] == UInt8(ascii: "S") { unanswered += 1 }
        }
        if held == nil { return Passing(toServer: bytes) }
        waiting += bytes
        return Passing()
    }

    mutating func answer(_ bytes: [UInt8]) -> Passing {
        answers.bytes += bytes
        var passing = Passing()
        while let message = answers.next() { pass(message, &passing) }
        return passing
    }

    private mutating func pass(_ message: [UInt8], _ passing: inout Passing) {
        let isEnd = message[0] == UInt8(ascii: "Z")
        if let end = held {
            guard isEnd else { return }
            passing.toClient += end
            passing.toServer += waiting
            (held, waiting) = (nil, [])
            return
        }
        if isEnd { unanswered -= 1 }
        if isEnd, forgets, unanswered == 0, message[5] == UInt8(ascii: "I") {
            held = message
            let words = Array("DISCARD ALL\0".utf8)
            passing.toServer += [UInt8(ascii: "Q"), 0, 0, 0, UInt8(words.count + 4)] + words
        } else {
            passing.toClient += message[0] == UInt8(ascii: "K") ? Self.renamed(message) : message
        }
    }

    /// The message that tells of the server's process, with another number.
    private static func renamed(_ message: [UInt8]) -> [UInt8] {
        var message = message
        message[8] ^= 1
        return message
    }
}
#endif
