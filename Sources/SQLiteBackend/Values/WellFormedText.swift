#if SQLite

/// Validates UTF-8, because SQLite stores any bytes that a program declares as text.
enum WellFormedText {
    /// Whether bytes are valid UTF-8; ASCII is checked eight bytes at a time.
    @inline(__always)
    static func isValidUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
        isASCII(bytes) || isValidNonASCII(bytes)
    }

    @inline(__always)
    private static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress else { return true }
        var found: UInt64 = 0
        if bytes.count < 8 {
            for byte in bytes { found |= UInt64(byte) }
        } else {
            let last = bytes.count &- 8
            var position = 0
            while position < last {
                found |= start.loadUnaligned(fromByteOffset: position, as: UInt64.self)
                position &+= 8
            }
            // The last eight bytes, some of which may have been checked already.
            found |= start.loadUnaligned(fromByteOffset: last, as: UInt64.self)
        }
        return found & 0x8080_8080_8080_8080 == 0
    }

    @inline(never)
    private static func isValidNonASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
        String(validating: bytes, as: UTF8.self) != nil
    }
}
#endif
