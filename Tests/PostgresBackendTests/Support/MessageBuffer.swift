#if Postgres
/// Splits bytes into messages: a letter, the length of the rest in four bytes, and the rest.
struct MessageBuffer {
    var bytes: [UInt8] = []

    /// Returns the next message, if it is complete.
    mutating func next() -> [UInt8]? {
        guard bytes.count >= 5 else { return nil }
        let length = 1 + bytes[1..<5].reduce(0) { $0 << 8 | Int($1) }
        guard bytes.count >= length else { return nil }
        defer { bytes.removeFirst(length) }
        return Array(bytes.prefix(length))
    }
}
#endif
