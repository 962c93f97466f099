#if Postgres
import RandomSeeds

/// The forwarding of the bytes of one connection: a value without sockets.
struct TestRelay {
    var isOpen = true
    private(set) var isSilent = false
    /// Whether one of the two sides has closed the connection.
    private(set) var hasEnded = false
    /// Whether the last call has injected the fault.
    var hasCarriedOut = false
    private var hasCommitted = false
    private var bytesAnswered = 0
    private var ordersPassed = 0
    /// The bytes of incomplete messages.
    private var answers = MessageBuffer()
    /// The generator of damage, and its seed.
    private var damage: (seed: UInt64, random: SeededRandom)?
    private static let commit: [UInt8] = Array("COMMIT\0".utf8)
    /// The first bytes of the rows of a COPY.
    private static let rows: [UInt8] = Array("PGCOPY\n".utf8)

    mutating func end() { (isOpen, hasEnded) = (false, true) }

    /// Returns the client's bytes to forward to the server.
    mutating func order(_ bytes: [UInt8], _ fault: TestProxy.Fault?) -> [[UInt8]] {
        defer { ordersPassed += 1 }
        let commits = bytes.firstRange(of: Self.commit) != nil
        switch fault {
        case .cutAfterOrders(ordersPassed):
            carryOut(staysOpen: false)
            return []
        case .cutBeforeCommit where commits:
            carryOut(staysOpen: false)
            return []
        case .cutAfterCommit where commits: carryOut(staysOpen: false)
        case .cutCommitAnswer where commits, .swallowCommitAnswer where commits: hasCommitted = true
        case .silence:
            carryOut(staysOpen: true)
            return []
        case .silenceAfter(let text):
            guard let range = bytes.firstRange(of: Array(text.utf8)) else { break }
            carryOut(staysOpen: true)
            return [Array(bytes[..<range.upperBound])]
        case .silenceAmongRows where bytes.dropFirst(5).starts(with: Self.rows): carryOut(staysOpen: true)
        default: break
        }
        return [bytes]
    }

    /// Returns whether bytes contain the server's response to a COMMIT; responses to earlier statements may precede it.
    private static func answersCommit(_ bytes: [UInt8]) -> Bool {
        bytes.firstRange(of: Array("COMMIT\0".utf8)) != nil
    }

    /// Returns the server's bytes to forward to the client.
    mutating func answer(_ bytes: [UInt8], _ fault: TestProxy.Fault?) -> [[UInt8]] {
        defer { bytesAnswered += bytes.count }
        switch fault {
        case .cutCommitAnswer where hasCommitted && Self.answersCommit(bytes):
            carryOut(staysOpen: false)
            return []
        case .swallowCommitAnswer where hasCommitted && Self.answersCommit(bytes):
            carryOut(staysOpen: true)
            return []
        case .cut(let limit) where bytesAnswered + bytes.count > limit:
            carryOut(staysOpen: false)
            return [Array(bytes.prefix(max(0, limit - bytesAnswered)))]
        case .silence:
            carryOut(staysOpen: true)
            return []
        case .trickle: return bytes.map { [$0] }
        case .damage(let seed): return damaged(bytes, seed)
        default: return [bytes]
        }
    }

    /// Changes bytes of rows.
    ///
    /// A single letter is the response to a request for encryption, and no message.
    private mutating func damaged(_ bytes: [UInt8], _ seed: UInt64) -> [[UInt8]] {
        if bytes.count == 1, answers.bytes.isEmpty { return [bytes] }
        if damage?.seed != seed { damage = (seed, SeededRandom(seed: seed)) }
        guard var random = damage?.random else { return [bytes] }
        defer { damage?.random = random }
        answers.bytes += bytes
        var pieces: [[UInt8]] = []
        while var message = answers.next() {
            let isRow = message[0] == UInt8(ascii: "D") || message[0] == UInt8(ascii: "d")
            if isRow, message.count > 5, Int.random(in: 0..<4, using: &random) == 0 {
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    message[Int.random(in: 5..<message.count, using: &random)] = .random(
                        in: 0...255, using: &random)
                }
            }
            pieces.append(message)
        }
        return pieces
    }

    private mutating func carryOut(staysOpen: Bool) {
        hasCarriedOut = true
        isSilent = staysOpen
        isOpen = staysOpen
    }
}
#endif
