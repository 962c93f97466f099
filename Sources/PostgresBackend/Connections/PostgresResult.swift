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
    func integer(_ row: Int, _ place: Int) -> Int64 { PostgresBytes.integer(bytes(row, place)) }

    func text(_ row: Int, _ place: Int) -> String { String(decoding: bytes(row, place), as: UTF8.self) }

    /// The value at a place, which a column of a type keeps or a function answered.
    func value(_ row: Int, _ place: Int, _ type: SQLType) throws(StoreError) -> StoredValue {
        if isNull(row, place) { return .null }
        let bytes = bytes(row, place)
        switch type {
        case .bool: return .bool(PostgresBytes.integer(bytes) != 0)
        case .key, .integer: return .int(PostgresBytes.integer(bytes))
        case .double: return .double(PostgresBytes.double(bytes))
        case .decimal, .anyDecimal: return .decimal(try PostgresBytes.decimal(bytes))
        case .text, .keys: return .string(String(decoding: bytes, as: UTF8.self))
        case .json: return .string(String(decoding: PostgresBytes.json(bytes), as: UTF8.self))
        case .data: return .data(Data(bytes))
        case .date: return .timestamp(microseconds: PostgresMoment.received(PostgresBytes.integer(bytes)))
        case .uuid: return .uuid(bytes.loadUnaligned(as: UUID.self))
        }
    }
}
#endif
