#if SQLite

/// Looks whether bytes are UTF-8, as SQLite does not: it keeps whatever another program says is text.
enum WellFormedText {
    /// Whether bytes are a text; plain ASCII is known eight bytes at a time.
    @inline(__always)
    static func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var position = 0
        while position &+ 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            if word & 0x8080_8080_8080_8080 != 0 { return isTextBeyondASCII(bytes) }
            position &+= 8
        }
        while position < bytes.count {
            if bytes[position] >= 0x80 { return isTextBeyondASCII(bytes) }
            position &+= 1
        }
        return true
    }

    @inline(never)
    private static func isTextBeyondASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
        String(validating: bytes, as: UTF8.self) != nil
    }
}
#endif
