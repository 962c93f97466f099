#if Postgres
/// The header and trailer of the binary COPY format.
enum CopyFormat {
    static let signature = Array("PGCOPY\n".utf8) + [0xFF] + Array("\r\n\0".utf8)
    /// The header: the signature, no flags, and no header extension.
    static let beginning = signature + Array(repeating: 0, count: 8)
    /// The trailer: -1 instead of a row's number of values.
    static let end: [UInt8] = [0xFF, 0xFF]
}
#endif
