#if Postgres
import CPostgres
import ContextCore
import Foundation
import SQLStore

/// The result of a statement in binary format.
final class PostgresResult {
    private let result: OpaquePointer
    let count: Int

    /// Takes ownership of a result of libpq.
    init(_ result: OpaquePointer) {
        self.result = result
        count = Int(PQntuples(result))
    }

    deinit { PQclear(result) }

    /// The number of columns.
    var width: Int { Int(PQnfields(result)) }

    /// Returns the name of a column and the OID of its type.
    func column(_ column: Int) -> (name: String, type: Oid) {
        (String(cString: PQfname(result, Int32(column))), PQftype(result, Int32(column)))
    }

    /// The OIDs of the columns' types.
    var types: [Oid] { (0..<Int32(width)).map { PQftype(result, $0) } }

    /// The number of bytes that the result takes in memory.
    var memorySize: Int { PQresultMemorySize(result) }

    /// The number of rows that the statement changed.
    var changedRows: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

    /// The command tag, for example `COMMIT`.
    var command: String { String(cString: PQcmdStatus(result)) }

    @inline(__always)
    func isNull(_ row: Int, _ column: Int) -> Bool { PQgetisnull(result, Int32(row), Int32(column)) != 0 }

    /// Returns the bytes of a value, which are valid as long as this object exists.
    @inline(__always)
    func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: PQgetvalue(result, Int32(row), Int32(column)),
            count: Int(PQgetlength(result, Int32(row), Int32(column))))
    }

    /// Returns an integer of any size.
    @inline(__always)
    func integer(_ row: Int, _ column: Int) -> Int64 { PostgresBytes.integer(bytes(row, column)) }

    /// Returns the integers of a column.
    func integers(_ column: Int) -> [Int64] { (0..<count).map { integer($0, column) } }

    func text(_ row: Int, _ column: Int) -> String { String(decoding: bytes(row, column), as: UTF8.self) }

    /// Returns a value, decoded as an SQL type.
    func value(_ row: Int, _ column: Int, _ type: SQLType) throws(StoreError) -> StoredValue {
        if isNull(row, column) { return .null }
        let bytes = bytes(row, column)
        switch type {
        case .bool: return .bool(PostgresBytes.integer(bytes) != 0)
        case .key, .integer: return .int(PostgresBytes.integer(bytes))
        case .double: return .double(PostgresBytes.double(bytes))
        case .decimal, .anyDecimal: return .decimal(try PostgresBytes.decimal(bytes, in: "A result"))
        case .text, .keys: return .string(String(decoding: bytes, as: UTF8.self))
        case .json: return .string(String(decoding: PostgresBytes.json(bytes), as: UTF8.self))
        case .data: return .data(Data(bytes))
        case .date: return .timestamp(microseconds: PostgresTimestamp.decoded(PostgresBytes.integer(bytes)))
        case .uuid: return .uuid(bytes.loadUnaligned(as: UUID.self))
        }
    }
}
#endif
