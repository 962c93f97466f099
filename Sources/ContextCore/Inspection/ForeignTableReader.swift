/// A reader of another program's database that also describes its tables, so that all of them can be imported.
///
/// Its queries see one state of the database from the first to the last, and it may make temporary tables.
package protocol ForeignTableReader: ForeignRowReader {
    /// How the database writes what differs between databases.
    var spelling: ForeignSpelling { get }
    /// Whether the tables are those of a store of this library.
    func isStore() throws -> Bool
    /// Returns the structures of all tables, and the names of views.
    func structures() throws -> [TableStructure]
    /// Returns the names of the schemas with tables that ``structures()`` doesn't describe, in order; empty for a file.
    func otherSchemas() throws -> [String]
    /// Returns the columns that address a row without a primary key; nil if the table has none.
    func rowAddress(of table: TableStructure) throws -> [String]?
    /// Makes a temporary table from a query, and an index over each of the lists of columns.
    ///
    /// All tables are made before the first query for rows of tables.
    func makeTable(_ name: String, from query: String, uniqueColumns: [[String]]) throws
    /// Makes the connection read-only: afterwards the reader makes no temporary table.
    func makeReadOnly() throws
}

/// The parts of queries that databases write differently.
package struct ForeignSpelling: Sendable {
    /// The text before the number of a parameter.
    package let parameterPrefix: String
    /// The schema of the tables; nil if the name of a table is enough.
    package let schema: String?
    /// Whether a query of a table also finds the rows of the tables that inherit from it, unless it excludes them.
    package let hasInheritance: Bool
    /// The schema of temporary tables.
    package let temporarySchema: String
    /// Returns a condition that an expression is one of the numbers in the first parameter, a text such as `1,2,3`.
    package let isListed: @Sendable (_ expression: String) -> String
    /// Returns a condition that an expression is not a whole number.
    package let isNotWhole: @Sendable (_ expression: String) -> String
    /// Returns an expression for the value of a column of the table with an alias, in a type that the reader returns.
    package let value: @Sendable (_ column: TableStructure.Column, _ alias: String) -> String

    /// Returns a condition that an expression is a number, whatever its column declares.
    package var isNumber: @Sendable (_ expression: String) -> String = { _ in "true" }

    package init(
        parameterPrefix: String, schema: String?, hasInheritance: Bool, temporarySchema: String,
        isListed: @escaping @Sendable (_ expression: String) -> String,
        isNotWhole: @escaping @Sendable (_ expression: String) -> String,
        value: @escaping @Sendable (_ column: TableStructure.Column, _ alias: String) -> String
    ) {
        self.parameterPrefix = parameterPrefix
        self.schema = schema
        self.hasInheritance = hasInheritance
        self.temporarySchema = temporarySchema
        self.isListed = isListed
        self.isNotWhole = isNotWhole
        self.value = value
    }

    /// Returns a name in double quotes.
    package static func quoted(_ name: String) -> String {
        "\"" + name.replacing("\"", with: "\"\"") + "\""
    }

    /// Returns a table as the FROM clause of a query writes it.
    ///
    /// The tables that inherit from it are imported themselves, so their rows are excluded.
    package func table(_ structure: TableStructure) -> String {
        let name = (schema.map { Self.quoted($0) + "." } ?? "") + Self.quoted(structure.name)
        return hasInheritance && !structure.isPartitioned ? "ONLY " + name : name
    }

    package func temporaryTable(_ name: String) -> String { temporarySchema + "." + Self.quoted(name) }
}
