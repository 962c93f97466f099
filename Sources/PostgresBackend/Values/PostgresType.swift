#if Postgres
import CPostgres
import SQLStore

/// The types that values cross in, with the numbers that every PostgreSQL server knows them by.
enum PostgresType {
    case bool, integer, double, numeric, text, bytes, moment, uuid, json

    /// What a column or a bound value of a type crosses as.
    ///
    /// Integers of all sizes cross with 64 bits and numbers with fractions as doubles; the server fits them to the column.
    init(_ type: SQLType) {
        switch type {
        case .bool: self = .bool
        case .key, .integer, .keys: self = .integer
        case .double: self = .double
        case .decimal, .anyDecimal: self = .numeric
        case .text: self = .text
        case .data: self = .bytes
        case .date: self = .moment
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
        case .moment: 1184
        case .uuid: 2950
        case .json: 3802
        }
    }

    /// The number of the type that a column has where the store made its table.
    static func ofColumn(_ type: SQLType) -> Oid {
        switch type {
        case .integer(bits: 16): 21
        case .integer(bits: 32): 23
        case .double(bits: 32): 700
        default: PostgresType(type).oid
        }
    }

    /// The number of the type of an array of such values.
    var arrayOID: Oid {
        switch self {
        case .bool: 1000
        case .integer: 1016
        case .double: 1022
        case .numeric: 1231
        case .text: 1009
        case .bytes: 1001
        case .moment: 1185
        case .uuid: 2951
        case .json: 3807
        }
    }

    /// What an array parameter is cast to.
    var arrayName: SQLFragment {
        switch self {
        case .bool: "bool[]"
        case .integer: "int8[]"
        case .double: "float8[]"
        case .numeric: "numeric[]"
        case .text: "text[]"
        case .bytes: "bytea[]"
        case .moment: "timestamptz[]"
        case .uuid: "uuid[]"
        case .json: "jsonb[]"
        }
    }
}

/// PostgreSQL counts microseconds from the year 2000, and we from 1970.
enum PostgresMoment {
    static let offset: Int64 = 946_684_800_000_000

    /// The first moment of the server's calendar, as we count.
    static let first: Int64 = -210_866_803_200_000_000

    /// Whether the server's calendar has a moment.
    ///
    /// Its end lies beyond all that we can count to.
    static func isKnown(_ microseconds: Int64) -> Bool { microseconds >= first }

    /// A moment as the server counts; one beyond its calendar becomes one that it would refuse.
    static func sent(_ microseconds: Int64) -> Int64 {
        let (value, overflow) = microseconds.subtractingReportingOverflow(offset)
        return overflow ? .min + 1 : value
    }

    static func received(_ value: Int64) -> Int64 { value &+ offset }
}
#endif
