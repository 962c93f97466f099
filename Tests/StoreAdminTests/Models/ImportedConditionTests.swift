import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// Conditions, defaults and indexes of tables, as both databases write them.
struct ImportedConditionTests {
    private static let columns: [TableStructure.Column] = [
        .init("n", "integer", .int32, isOptional: true),
        .init("price", "numeric(6,2)", .decimal(precision: 6, scale: 2)),
        .init("ratio", "real", .double), .init("name", "text", .string), .init("flag", "boolean", .bool),
        loose, .init("day", "date", .date), .init("Odd Name", "text", .string),
        .init("body", "json", .codable),
    ]

    /// The columns whose texts are compared as the store compares them.
    private static var exactColumns: [TableStructure.Column] { columns.filter { $0.looseComparison == nil } }

    private static var loose: TableStructure.Column {
        var column = TableStructure.Column("loose", "text", .string)
        column.looseComparison = "COLLATE NOCASE"
        return column
    }

    private func rules(_ condition: String, valueColumn: String? = nil) -> [ConditionRule]? {
        let reader = ConditionReader(
            structure: TableStructure("t", columns: Self.columns), valueColumn: valueColumn)
        return SQLExpression(condition).flatMap(reader.rules)
    }

    @Test(
        arguments: [
            ("n > 0", .range(minimum: .int(1), maximum: nil)),
            ("(n >= 0)", .range(minimum: .int(0), maximum: nil)),
            ("0 < n", .range(minimum: .int(1), maximum: nil)),
            ("n > 0.5", .range(minimum: .int(1), maximum: nil)),
            ("n < -0.5", .range(minimum: nil, maximum: .int(-1))),
            ("n <= -3", .range(minimum: nil, maximum: .int(-3))),
            ("(n >= '-5'::integer)", .range(minimum: .int(-5), maximum: nil)),
            ("(n)::integer < 100", .range(minimum: nil, maximum: .int(99))),
            ("n = 4", .range(minimum: .int(4), maximum: .int(4))),
            ("n IN (3, 1, 2)", .range(minimum: .int(1), maximum: .int(3))),
            ("n IS NULL OR n > 0", .range(minimum: .int(1), maximum: nil)),
            ("(price > (0)::numeric)", .range(minimum: .decimal(Decimal(string: "0.01") ?? 0), maximum: nil)),
            ("price <= 9.999", .range(minimum: nil, maximum: .decimal(Decimal(string: "9.99") ?? 0))),
            ("ratio >= (0.5)::double precision", .range(minimum: .double(0.5), maximum: nil)),
            ("length(name) <= 5", .length(minimum: nil, maximum: 5)),
            ("(char_length((name)::text) > 2)", .length(minimum: 3, maximum: nil)),
            ("(name <> ''::text)", .length(minimum: 1, maximum: nil)),
            ("length(name) = 3", .length(minimum: 3, maximum: 3)),
            ("name IN ('a', 'it''s')", .texts(["a", "it's"])),
            ("name = 'a' OR name = 'b'", .texts(["a", "b"])),
            ("(name = ANY (ARRAY['a'::text, 'b'::text]))", .texts(["a", "b"])),
            (
                "((name)::text = ANY ((ARRAY['a'::character varying, 'b'::character varying])::text[]))",
                .texts(["a", "b"])
            ),
            ("loose <> ''", .length(minimum: 1, maximum: nil)),
            ("name ~ '^[A-Z]{2}$'::text", .pattern("[A-Z]{2}")), ("name IS NOT NULL", .required),
            (#""Odd Name" <> ''"#, .length(minimum: 1, maximum: nil)), ("[Odd Name] = 'x'", .texts(["x"])),
            ("NAME /* any case */ <> '' -- end", .length(minimum: 1, maximum: nil)),
        ] as [(String, ColumnRule)])
    func `A condition becomes a rule`(condition: String, rule: ColumnRule) {
        #expect(rules(condition)?.map(\.rule) == [rule])
        #expect(rules(condition)?.contains(where: \.isWeaker) == false)
    }

    @Test(arguments: [
        "n <> 0", "n > price", "n + 1 > 0", "lower(name) = name", "name LIKE 'a%'", "name > 'a'",
        "NOT (n > 0)",
        "n IS NULL OR price > 0", "name ~ 'a'", "name ~ '^a|b$'", "name ~ '^.$'", #"name ~ '^\w$'"#,
        "day > '2000-01-01'",
        "(price)::integer <= 5", "(n)::text = '5'", "n NOT IN (1, 2)", "name IN ('a', NULL)", "flag IN (1)",
        "missing > 0", "n <= (3.7)::integer", "n <= CAST(3.7 AS int)", "(name)::character varying(1) = 'a'",
        "length((name)::character(3)) = 3",
        "n > 0 AND", "(n > 0", "n > 'x'", "name COLLATE NOCASE IN ('a')", "loose IN ('a')", "loose = 'a'",
        "loose = 'a' OR loose = 'b'", "n IN (SELECT 1)", "",
    ])
    func `A condition that no rule expresses is none`(condition: String) {
        #expect(rules(condition) == nil)
    }

    @Test func `A rule that allows more than the condition is marked`() {
        #expect(
            rules("ratio > 0") == [
                .init(column: "ratio", rule: .range(minimum: .double(0), maximum: nil), isWeaker: true)
            ])
        #expect(
            rules("n IN (1, 4)") == [
                .init(column: "n", rule: .range(minimum: .int(1), maximum: .int(4)), isWeaker: true)
            ])
        #expect(rules("flag IN (0, 1)") == [])
        #expect(rules("(JSON_VALID(body) OR body IS NULL)") == [] && rules("json_valid(name)") == nil)
        #expect(rules("VALUE > 0", valueColumn: "n")?.map(\.column) == ["n"])
    }

    @Test func `Rules of an attribute are combined, and conditions without a rule are reported`() throws {
        var table = TableStructure("t", columns: Self.exactColumns, primaryKey: ["n"])
        table.checks = [
            ("n > 0", "a"), ("price >= 1 AND price <= 9", "b"), ("price < 5", "c"), ("price > 100", "d"),
            ("length(name) <= 9 AND name LIKE 'a%'", "e"), ("name IN ('a|b', 'c.')", "f"),
            ("name IN ('x')", "g"),
            ("price > n", "h"),
        ].map { .init($0, statement: $1, isEnforced: true) }
        let imported = ModelImport([table])
        let attributes = try ObjectModel(entities: imported.entities).layouts[0].description.attributes
        let price = try #require(attributes.first { $0.name == "price" })
        #expect(
            price.rules == [.range(minimum: .decimal(1), maximum: .decimal(Decimal(string: "4.99") ?? 0))])
        let name = try #require(attributes.first { $0.name == "name" })
        #expect(name.rules == [.length(minimum: nil, maximum: 9), .pattern(#"a\|b|c\."#)])
        #expect(
            imported.remarks.filter { $0.statement != nil }.map { "\($0.subject) \($0.statement ?? "")" } == [
                "t.price d", "t.name g", "t h", "t e", "t.n a",
            ])
    }

    @Test func `A rule that rows violate is not imported`() throws {
        var table = TableStructure("t", columns: [.init("n", "integer", .int32)])
        table.checks = [.init("n > 0", statement: "CHECK (n > 0)", isEnforced: false)]
        let imported = ModelImport([table])
        #expect(imported.entities[0].attributes[0].rules == [.range(minimum: .int(1), maximum: nil)])
        #expect(imported.remarks.isEmpty)
    }

    @Test(
        arguments: [
            ("0", "n", .value(.value(.int(0)))), ("'-1'::integer", "n", .value(.value(.int(-1)))),
            ("NULL", "n", ColumnDefault.none),
            ("1.5", "price", .value(.value(.decimal(Decimal(string: "1.5") ?? 0)))),
            ("'x'::text", "name", .value(.value(.string("x")))),
            ("1", "flag", .value(.value(.bool(true)))), ("false", "flag", .value(.value(.bool(false)))),
            ("now()", "day", .value(.now)), ("CURRENT_TIMESTAMP", "day", .value(.now)),
            ("datetime('now')", "day", .value(.now)),
            ("timezone('utc'::text, now())", "day", .value(.now)),
            ("(strftime('%Y-%m-%d %H:%M:%f', 'now'))", "day", .value(.now)),
            ("LOCALTIMESTAMP", "day", .value(.now)),
            ("(now())::timestamp without time zone", "day", .value(.now)),
            ("CURRENT_DATE", "day", .today), ("(now())::date", "day", .today), ("date('now')", "day", .today),
            ("NULL::character varying", "name", ColumnDefault.none),
        ] as [(String, String, ColumnDefault)])
    func `A default becomes that of the attribute`(text: String, column: String, expected: ColumnDefault)
        throws
    {
        let column = try #require(Self.columns.first { $0.name == column })
        let attribute = AttributeDescription(column.name, try #require(column.type))
        #expect(ColumnDefault(text, of: column, for: attribute) == expected)
    }

    @Test(arguments: [
        ("nextval('a_seq'::regclass)", "n"), ("99999999999", "n"), ("lower('A')", "name"),
        ("CURRENT_TIME", "day"), ("(LOCALTIMESTAMP AT TIME ZONE 'utc'::text)", "day"),
        ("CURRENT_DATE", "name"),
        ("now()", "name"), ("gen_random_uuid()", "name"), ("'1.555'", "price"), ("'2' || '3'", "name"),
    ])
    func `A default that an attribute can't have is reported`(text: String, name: String) throws {
        var column = try #require(Self.columns.first { $0.name == name })
        let attribute = AttributeDescription(name, try #require(column.type))
        #expect(ColumnDefault(text, of: column, for: attribute) == nil)
        column.defaultExpression = text
        let imported = ModelImport([TableStructure("t", columns: [column])])
        #expect(imported.remarks.map(\.statement) == ["DEFAULT \(text)"])
    }

    @Test(arguments: ["now()", "CURRENT_DATE", "timezone('utc'::text, now())"])
    func `The current day becomes the current time, and is reported`(text: String) {
        var column = TableStructure.Column("day", "date", .date)
        column.hasOnlyDays = true
        column.defaultExpression = text
        let imported = ModelImport([TableStructure("t", columns: [column])])
        #expect(imported.entities[0].attributes[0].defaultValue == .now)
        #expect(imported.remarks.map(\.kind) == [.changed])
        #expect(imported.remarks.map(\.statement) == ["DEFAULT \(text)"])
    }

    @Test func `A UUID and an empty array are defaults`() {
        var column = TableStructure.Column("tags", "text[]", .codable)
        column.isArray = true
        let tags = AttributeDescription("tags", .codable)
        #expect(ColumnDefault("'{}'::text[]", of: column, for: tags) == .value(.value(.string("[]"))))
        #expect(ColumnDefault("ARRAY[]::text[]", of: column, for: tags) == .value(.value(.string("[]"))))
        #expect(ColumnDefault("'{a}'::text[]", of: column, for: tags) == nil)
        let uuid = AttributeDescription("id", .uuid)
        #expect(
            ColumnDefault("gen_random_uuid()", of: .init("id", "uuid", .uuid), for: uuid) == .value(.newUUID))
    }

    @Test(arguments: [
        ("flag", "flag == true"), ("NOT flag", "flag == false"), ("n IS NOT NULL", "n != nil"),
        ("(name = 'a'::text)", #"name == "a""#), ("n > 5 AND flag", "(n > 5) AND (flag == true)"),
        ("name IN ('a', 'b')", #"name IN {"a", "b"}"#), ("n IS NULL OR 3 < n", "(n == nil) OR (n > 3)"),
    ])
    func `The condition of an index becomes a predicate`(condition: String, predicate: String) throws {
        var table = TableStructure("t", columns: Self.exactColumns)
        table.indexes = [
            .init(
                "i", [.init("name", isDescending: true), .init("n", isDescending: false)],
                predicate: condition,
                isUnique: false, statement: "CREATE INDEX i")
        ]
        let imported = ModelImport([table])
        #expect(imported.remarks.isEmpty)
        #expect(
            imported.entities[0].indexes == [IndexDescription([.descending("name"), "n"], where: predicate)])
        _ = try ObjectModel(entities: imported.entities)
    }

    @Test func `Names that are words of predicates are marked in the condition of an index`() throws {
        var table = TableStructure(
            "t",
            columns: [
                .init("all", "boolean", .bool), .init("in", "integer", .int32, isOptional: true),
                .init("entity", "text", .string),
            ])
        table.indexes = [
            .init(
                "i", [.init("in", isDescending: false)],
                predicate: #""all" AND "in" IS NOT NULL AND "in" > 5 AND entity IN ('a')"#, isUnique: false,
                statement: "CREATE INDEX i")
        ]
        let imported = ModelImport([table])
        let predicate = ##"(#all == true) AND (#in != nil) AND (#in > 5) AND (#entity IN {"a"})"##
        #expect(imported.entities[0].indexes.first?.predicate == predicate)
        _ = try ObjectModel(entities: imported.entities)
    }

    @Test(arguments: [
        ("n <> 5", false), ("lower(name) = 'a'", false), ("ratio > 0.5", false), ("n > 5", true), ("", false),
    ])
    func `An index whose condition has no predicate is reported`(condition: String, isUnique: Bool) {
        var table = TableStructure("t", columns: Self.exactColumns)
        table.indexes = [
            .init(
                "i", [.init("name", isDescending: false)], predicate: condition, isUnique: isUnique,
                statement: "CREATE INDEX i")
        ]
        let imported = ModelImport([table])
        #expect(imported.entities[0].indexes.isEmpty && imported.entities[0].uniqueConstraints.isEmpty)
        #expect(
            imported.remarks.map(\.subject) == ["t.i"] && imported.remarks[0].statement == "CREATE INDEX i")
    }

    @Test func `Columns with JSON have no index and no unique constraint`() throws {
        let table = TableStructure(
            "t", columns: [.init("body", "jsonb", .codable), .init("n", "integer", .int32)],
            uniqueColumns: [["body", "n"]], indexedColumns: [["body"]])
        let imported = ModelImport([table])
        _ = try ObjectModel(entities: imported.entities)
        #expect(imported.remarks.map(\.subject) == ["t.body, n", "t.body"])
    }
}
