#if SQLite
import ContextCore
import Testing

@testable import SQLiteBackend

/// The parts of a statement that SQLite reports only as text.
struct TableDefinitionTests {
    @Test func `Check constraints and computed columns are found`() {
        let definition = TableDefinition(
            """
            CREATE TABLE "a (b" ("id" INTEGER PRIMARY KEY, name varchar(80) NOT NULL CONSTRAINT x CHECK (length(name) > 0), \
            low text GENERATED ALWAYS AS (lower(name)) STORED, l2 AS (1+2), price DECIMAL(10, 2) DEFAULT (1) CHECK(price > 0) \
            /* a comment, ( */, "check" int, note text DEFAULT 'CHECK (a)', FOREIGN KEY (id) REFERENCES b (id), \
            CONSTRAINT q CHECK ((id > 0) AND "check" IN (1,2))) WITHOUT ROWID
            """)
        #expect(
            definition.checks.map(\.expression) == [
                "length(name) > 0", "price > 0", #"(id > 0) AND "check" IN (1,2)"#,
            ])
        #expect(definition.checks.map(\.statement).first == "CHECK (length(name) > 0)")
        #expect(definition.generated == ["low": "lower(name)", "l2": "1+2"])
    }

    @Test func `Collations that equate different texts are found`() {
        let definition = TableDefinition(
            """
            CREATE TABLE a (b text COLLATE NOCASE NOT NULL, "C" text DEFAULT 'x' COLLATE "rtrim" CHECK (d COLLATE NOCASE = 'x'), \
            d text COLLATE binary, CHECK (d COLLATE NOCASE = 'x'), UNIQUE (d COLLATE NOCASE))
            """)
        #expect(definition.looseCollations == ["b": "NOCASE", "c": "rtrim"])
    }

    @Test(arguments: [
        "", "CREATE TABLE a", "CREATE TABLE a (b text CHECK (b > 'x)", "CREATE TABLE a (b /* c",
    ])
    func `A statement that can't be read has no parts`(statement: String) {
        let definition = TableDefinition(statement)
        #expect(definition.checks.isEmpty && definition.generated.isEmpty)
    }

    @Test(arguments: [
        (#"CREATE INDEX "i where (" ON a (lower(b), c DESC) WHERE b > 0"#, " b > 0"),
        ("CREATE INDEX i ON a (b)", nil), ("", nil),
    ])
    func `The condition of an index is found`(statement: String, condition: String?) {
        #expect(TableDefinition.predicate(ofIndex: statement) == condition)
    }
}
#endif
