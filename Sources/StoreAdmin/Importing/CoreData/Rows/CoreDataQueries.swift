import ContextCore

/// The queries of a Core Data store's tables.
///
/// A plus before a column keeps SQLite from using its index (https://www.sqlite.org/optoverview.html): few rows are looked up by their
/// keys, and most rows of a table are of one entity.
enum CoreDataQueries {
    /// Returns a name in double quotes.
    static func quoted(_ name: String) -> String { ForeignSpelling.quoted(name) }

    static func list(_ numbers: [Int64]) -> String { numbers.map(String.init).joined(separator: ", ") }

    /// The greatest key that is imported; Core Data counts from 1, so only a damaged store has a greater one.
    static let maxKey: Int64 = 1 << 53

    /// Returns a condition that the rows of a table have valid keys.
    ///
    /// - Parameter table: The name that the query gives the table.
    static func hasKey(_ table: String) -> String { "+\(table).Z_PK BETWEEN 1 AND \(maxKey)" }

    /// Returns a condition that a key belongs to an object of the given entities.
    static func exists(_ key: String, _ table: String, _ numbers: [Int64]) -> String {
        "EXISTS (SELECT 1 FROM \(quoted(table)) AS d WHERE d.Z_PK = \(key) AND \(hasKey("d")) AND +d.Z_ENT IN (\(list(numbers))))"
    }
}
