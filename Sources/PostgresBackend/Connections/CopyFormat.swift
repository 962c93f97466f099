#if Postgres
/// What rows are wrapped in that flow in binary.
enum CopyFormat {
    static let signature = Array("PGCOPY\n".utf8) + [0xFF] + Array("\r\n\0".utf8)
    /// What is before the first row: the signature, no flags, and no more of a header.
    static let beginning = signature + Array(repeating: 0, count: 8)
    /// What is behind the last: a row of -1 values.
    static let end: [UInt8] = [0xFF, 0xFF]
}
#endif
