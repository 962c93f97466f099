#if Postgres
import ContextCore
import Foundation

/// What the bytes of a value in an answer mean.
enum PostgresBytes {
    /// An integer of any size.
    @inline(__always)
    static func integer(_ bytes: UnsafeRawBufferPointer) -> Int64 {
        switch bytes.count {
        case 8: bytes.bigEndian(Int64.self, at: 0)
        case 4: Int64(bytes.bigEndian(Int32.self, at: 0))
        case 2: Int64(bytes.bigEndian(Int16.self, at: 0))
        case 1: Int64(bytes[0])
        default: 0
        }
    }

    /// A number with a fraction, of 32 or 64 bits.
    @inline(__always)
    static func double(_ bytes: UnsafeRawBufferPointer) -> Double {
        bytes.count == 4
            ? Double(Float(bitPattern: bytes.bigEndian(UInt32.self, at: 0)))
            : Double(bitPattern: bytes.bigEndian(UInt64.self, at: 0))
    }

    static func decimal(_ bytes: UnsafeRawBufferPointer) throws(StoreError) -> Decimal {
        guard let number = PostgresNumeric.read(bytes) else {
            throw StoreError(
                .corrupt, "A row holds a number that no Decimal can be.",
                remedy: "Correct the row in the database.")
        }
        return number
    }

    /// JSON without the version that it crosses with.
    static func json(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
    }
}
#endif
