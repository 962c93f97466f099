#if Postgres
import CPostgres
import ContextCore
import Foundation
import SQLStore

/// The answer to a statement, in binary.
final class PostgresResult {
    private let result: OpaquePointer
    let count: Int

    /// Takes over a result of libpq, which this object frees.
    init(_ result: OpaquePointer) {
        self.result = result
        count = Int(PQntuples(result))
    }

    deinit { PQclear(result) }

    /// How many columns there are.
    var width: Int { Int(PQnfields(result)) }

    /// What a column is called, and the number of its type on the server.
    func column(_ place: Int) -> (name: String, type: Oid) {
        (String(cString: PQfname(result, Int32(place))), PQftype(result, Int32(place)))
    }

    /// How many rows the statement changed.
    var changedRows: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

    /// What the server says it has done, for example `COMMIT`.
    var command: String { String(cString: PQcmdStatus(result)) }

    @inline(__always)
    func isNull(_ row: Int, _ place: Int) -> Bool { PQgetisnull(result, Int32(row), Int32(place)) != 0 }

    /// The bytes of a value, there as long as this object is.
    @inline(__always)
    func bytes(_ row: Int, _ place: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: PQgetvalue(result, Int32(row), Int32(place)),
            count: Int(PQgetlength(result, Int32(row), Int32(place))))
    }

    /// An integer of any size.
    @inline(__always)
    func integer(_ row: Int, _ place: Int) -> Int64 {
        let bytes = bytes(row, place)
        return switch bytes.count {
        case 8: bytes.bigEndian(Int64.self, at: 0)
        case 4: Int64(bytes.bigEndian(Int32.self, at: 0))
        case 2: Int64(bytes.bigEndian(Int16.self, at: 0))
        case 1: Int64(bytes[0])
        default: 0
        }
    }

    /// A number with a fraction, of 32 or 64 bits.
    @inline(__always)
    func double(_ row: Int, _ place: Int) -> Double {
        let bytes = bytes(row, place)
        return bytes.count == 4
            ? Double(Float(bitPattern: bytes.bigEndian(UInt32.self, at: 0)))
            : Double(bitPattern: bytes.bigEndian(UInt64.self, at: 0))
    }

    func text(_ row: Int, _ place: Int) -> String { String(decoding: bytes(row, place), as: UTF8.self) }

    func decimal(_ row: Int, _ place: Int) throws(StoreError) -> Decimal {
        guard let number = PostgresNumeric.read(bytes(row, place)) else {
            throw StoreError(
                .corrupt, "A row holds a number that no Decimal can be.",
                remedy: "Correct the row in the database.")
        }
        return number
    }

    /// JSON without the version that it crosses with.
    func json(_ row: Int, _ place: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes(row, place).dropFirst())
    }

    /// The value at a place, which a column of a type keeps or a function answered.
    func value(_ row: Int, _ place: Int, _ type: SQLType) throws(StoreError) -> StoredValue {
        if isNull(row, place) { return .null }
        switch type {
        case .bool: return .bool(integer(row, place) != 0)
        case .key, .integer: return .int(integer(row, place))
        case .double: return .double(double(row, place))
        case .decimal, .anyDecimal: return .decimal(try decimal(row, place))
        case .text, .keys: return .string(text(row, place))
        case .json: return .string(String(decoding: json(row, place), as: UTF8.self))
        case .data: return .data(Data(bytes(row, place)))
        case .date: return .timestamp(microseconds: PostgresMoment.received(integer(row, place)))
        case .uuid: return .uuid(bytes(row, place).loadUnaligned(as: UUID.self))
        }
    }
}
#endif
