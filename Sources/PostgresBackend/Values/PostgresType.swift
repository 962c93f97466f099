#if Postgres
import CPostgres
import SQLStore

/// The PostgreSQL types of values that are sent and received in binary, with their fixed OIDs.
enum PostgresType {
    case bool, integer, double, numeric, text, bytes, timestamp, uuid, json

    /// Returns the type in which values of an SQL type are sent.
    ///
    /// Integers of all sizes are sent with 64 bits and floating-point numbers as doubles; the server converts them.
    init(_ type: SQLType) {
        switch type {
        case .bool: self = .bool
        case .key, .integer, .keys: self = .integer
        case .double: self = .double
        case .decimal, .anyDecimal: self = .numeric
        case .text: self = .text
        case .data: self = .bytes
        case .date: self = .timestamp
        case .uuid: self = .uuid
        case .json: self = .json
        }
    }

    var oid: Oid {
        switch self {
        case .bool: 16
        case .integer: 20
        case .double: 701
        case .numeric: 1700
        case .text: 25
        case .bytes: 17
        case .timestamp: 1184
        case .uuid: 2950
        case .json: 3802
        }
    }

    /// Returns the OID of the type that a column of a store's table has.
    static func ofColumn(_ type: SQLType) -> Oid {
        switch type {
        case .integer(bits: 16): 21
        case .integer(bits: 32): 23
        case .double(bits: 32): 700
        default: PostgresType(type).oid
        }
    }

    /// The OID of the array type.
    var arrayOID: Oid {
        switch self {
        case .bool: 1000
        case .integer: 1016
        case .double: 1022
        case .numeric: 1231
        case .text: 1009
        case .bytes: 1001
        case .timestamp: 1185
        case .uuid: 2951
        case .json: 3807
        }
    }

    /// The name of the array type, for casts.
    var arrayName: SQLFragment {
        switch self {
        case .bool: "bool[]"
        case .integer: "int8[]"
        case .double: "float8[]"
        case .numeric: "numeric[]"
        case .text: "text[]"
        case .bytes: "bytea[]"
        case .timestamp: "timestamptz[]"
        case .uuid: "uuid[]"
        case .json: "jsonb[]"
        }
    }
}

/// Conversions of timestamps: PostgreSQL counts microseconds from 2000, and this library from 1970.
enum PostgresTimestamp {
    static let offset: Int64 = 946_684_800_000_000

    /// The server's earliest timestamp, in microseconds since 1970.
    static let earliest: Int64 = -210_866_803_200_000_000

    /// Returns whether the server can store a timestamp.
    ///
    /// Its latest timestamp is beyond 64-bit microseconds.
    static func isRepresentable(_ microseconds: Int64) -> Bool { microseconds >= earliest }

    /// Converts a timestamp for the server; one that overflows becomes a value that the server rejects.
    static func encoded(_ microseconds: Int64) -> Int64 {
        let (value, overflow) = microseconds.subtractingReportingOverflow(offset)
        return overflow ? .min + 1 : value
    }

    static func decoded(_ value: Int64) -> Int64 { value &+ offset }
}
#endif
