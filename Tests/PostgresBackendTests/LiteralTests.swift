#if Postgres
import ContextCore
import Foundation
import SQLStore
import Testing

@testable import PostgresBackend

/// Values as SQL literals, for statements without parameters.
struct LiteralTests {
    @Test(arguments: [
        (StoredValue.null, SQLType.text, "NULL"), (.bool(true), .bool, "TRUE"),
        (.int(.min), .integer(bits: 64), "'-9223372036854775808'::int8"),
        (.double(0.1), .double(bits: 64), "'0.1'::float8"),
        (.double(-.infinity), .double(bits: 64), "'-Infinity'::float8"),
        (.string("it's \\ $1"), .text, "'it''s \\ $1'::text"), (.string("{}"), .json, "'{}'::jsonb"),
        (.data(Data([0, 15, 255])), .data, "'\\x000fff'::bytea"),
        (.timestamp(microseconds: -1), .date, "'1969-12-31T23:59:59.999999Z'::timestamptz"),
        (.decimal(Decimal(-1.25)), .decimal(precision: 9, scale: 2), "'-1.25'::numeric"),
    ])
    func `A literal includes its type`(_ value: StoredValue, _ type: SQLType, _ expected: String) throws {
        let literal = try #require(SQLDialect.postgres.literal(value, type))
        #expect(SQLText(literal, .postgres).sql == expected)
    }

    @Test func `A value without a literal on the server is rejected`() {
        #expect(SQLDialect.postgres.literal(.string("a\0b"), .text) == nil)
        #expect(SQLDialect.postgres.literal(.timestamp(microseconds: .max), .date) == nil)
    }
}
#endif
