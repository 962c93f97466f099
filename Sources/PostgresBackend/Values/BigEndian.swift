#if Postgres
// The binary protocol has numbers in network byte order.
extension [UInt8] {
    mutating func append<Number: FixedWidthInteger>(bigEndian number: Number) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }

    /// Overwrites the bytes at an index with a number.
    mutating func replaceBytes<Number: FixedWidthInteger>(withBigEndian number: Number, at offset: Int) {
        Swift.withUnsafeBytes(of: number.bigEndian) { source in
            for (index, byte) in source.enumerated() { self[offset + index] = byte }
        }
    }
}

extension UnsafeRawBufferPointer {
    func bigEndian<Number: FixedWidthInteger>(_ type: Number.Type, at offset: Int) -> Number {
        Number(bigEndian: loadUnaligned(fromByteOffset: offset, as: type))
    }
}
#endif
