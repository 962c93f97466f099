#if Postgres
/// A simulated pooler for the bytes of one connection: a value without sockets.
///
/// It resets the session for each transaction, and reports a wrong server process to the client.
struct PoolerRelay {
    /// The bytes to forward in each direction.
    struct Passing: Equatable {
        var toClient: [UInt8] = []
        var toServer: [UInt8] = []
    }

    private let forgets: Bool
    private var hasStarted = false
    private var orders = MessageBuffer()
    private var answers = MessageBuffer()
    /// The number of results that the server has not finished; the first one belongs to the startup.
    private var unanswered = 1
    /// The end of a result that the client gets after the session was reset.
    private var held: [UInt8]?
    /// The bytes that the client has sent in the meantime.
    private var waiting: [UInt8] = []

    /// - Parameter forgets: Whether each transaction gets a new session; otherwise it may get the same one again.
    init(forgets: Bool) { self.forgets = forgets }

    /// Reports that there is no encryption if the client asks for it first.
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

    /// Returns the message with the server's process identifier, with another number.
    private static func renamed(_ message: [UInt8]) -> [UInt8] {
        var message = message
        message[8] ^= 1
        return message
    }
}
#endif
