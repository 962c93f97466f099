#if Postgres
import ContextCore
import Foundation

/// Decodes values in PostgreSQL's binary format.
enum PostgresBytes {
    /// Decodes an integer of any size.
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

    /// Decodes a floating-point number of 32 or 64 bits.
    @inline(__always)
    static func double(_ bytes: UnsafeRawBufferPointer) -> Double {
        bytes.count == 4
            ? Double(Float(bitPattern: bytes.bigEndian(UInt32.self, at: 0)))
            : Double(bitPattern: bytes.bigEndian(UInt64.self, at: 0))
    }

    /// Decodes a number.
    ///
    /// - Parameter location: Names the attribute and the object for the error.
    static func decimal(
        _ bytes: UnsafeRawBufferPointer, in location: @autoclosure () -> String
    ) throws(StoreError) -> Decimal {
        guard let number = PostgresNumeric.read(bytes) else {
            throw StoreError(
                .corrupt, "\(location()) contains a number that Decimal can't represent.",
                remedy:
                    "Correct the number in the database: it must have at most 38 digits, and not be NaN or infinite."
            )
        }
        return number
    }

    /// Returns the text of a `jsonb` value without its version byte.
    static func json(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
    }
}
#endif
