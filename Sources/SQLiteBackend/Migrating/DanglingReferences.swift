#if SQLite
import ContextCore
import SQLStore

/// Finds the dangling references of selected tables, because scanning all tables of a large store takes minutes.
struct DanglingReferences {
    private let connection: SQLiteConnection

    init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    /// Describes the dangling references of the given tables and of the tables that refer to them.
    ///
    /// A migration may rename tables and columns and rewrite rows, but keeps the keys that references refer to. So references are described
    /// by those keys, and equal ones are numbered.
    func descriptions(in tables: Set<String>) throws(StoreError) -> Set<String> {
        var counts: [String: Int] = [:]
        for reference in try references()
        where tables.contains(reference.table) || tables.contains(reference.target) {
            for word in try descriptions(of: reference) { counts[word, default: 0] += 1 }
        }
        var descriptions: Set<String> = []
        for (word, count) in counts {
            for number in 1...count { descriptions.insert(number == 1 ? word : "\(word) (\(number))") }
        }
        return descriptions
    }

    private struct Reference {
        let table: String
        let column: String
        let target: String
        let targetColumn: String
    }

    private func references() throws(StoreError) -> [Reference] {
        let statement = try connection.statement(
            """
            SELECT t.name, f."from", f."table", coalesce(f."to", '_id') FROM sqlite_schema AS t \
            JOIN pragma_foreign_key_list(t.name) AS f \
            WHERE t.type = 'table' AND EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = f."table" COLLATE NOCASE) \
            AND f.seq = 0 AND NOT EXISTS (SELECT 1 FROM pragma_foreign_key_list(t.name) AS o WHERE o.id = f.id AND o.seq > 0)
            """)
        defer { statement.reset() }
        var references: [Reference] = []
        while try statement.step() {
            references.append(
                Reference(
                    table: try statement.text(0), column: try statement.text(1),
                    target: try statement.text(2), targetColumn: try statement.text(3)))
        }
        return references
    }

    private func descriptions(of reference: Reference) throws(StoreError) -> [String] {
        func quoted(_ name: String) -> String { SQLDialect.sqlite.quoted(name) }
        let column = quoted(reference.column)
        let statement = try connection.statement(
            """
            SELECT 'a reference to ' || \(column) FROM \(quoted(reference.table)) AS "referring" \
            WHERE \(column) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(quoted(reference.target)) AS "target" \
            WHERE "target".\(quoted(reference.targetColumn)) = "referring".\(column))
            """)
        defer { statement.reset() }
        var descriptions: [String] = []
        while try statement.step() { descriptions.append(try statement.text(0)) }
        return descriptions
    }
}
#endif
