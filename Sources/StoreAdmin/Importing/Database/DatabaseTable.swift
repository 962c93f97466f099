import ContextCore

/// A table of another program's database, and where its values go in the rows of an entity.
///
/// Its queries give the table the alias `s`, and a referenced table the alias `d`.
struct DatabaseTable {
    struct Attribute {
        let name: String
        /// The number of the column in the entity's layout.
        let column: Int
        /// The number of the column in the table.
        let source: Int
        let type: AttributeType
        let validation: ValueValidation
    }

    struct Reference {
        let name: String
        /// The number of the column in the entity's layout.
        let column: Int
        let isRequired: Bool
        let targetIndex: Int
        let targetTable: String
        /// The expression for the key of the referenced object.
        let key: String
        /// The expression that is null if the row has no reference.
        let presence: String
        /// The join with the referenced table, and the key of the joined row.
        let join: String
        let joinedKey: String
    }

    /// The reference at the other end of a one-to-one relationship.
    struct Inverse {
        /// The number of the column in the entity's layout.
        let column: Int
        /// The entity whose table has the foreign key.
        let sourceIndex: Int
        let key: String
    }

    let structure: TableStructure
    let layout: EntityLayout
    let keys: TableKeys
    /// The expressions for the table's columns.
    let values: [String]
    var attributes: [Attribute] = []
    var references: [Reference] = []
    var inverses: [Inverse] = []
    /// The values of columns that the table doesn't have.
    var defaults: [(column: Int, value: StoredValue)] = []

    /// Returns the columns that a foreign key to the table references.
    func referencedColumns(_ reference: TableStructure.Reference) -> [String] {
        reference.referencedColumns.isEmpty ? structure.primaryKey : reference.referencedColumns
    }

    // MARK: Queries

    /// The query for the key, the table's values, and the key of each reference and inverse.
    var rowsQuery: String {
        let columns = [keys.key("s")] + values + references.map(\.key) + inverses.map(\.key)
        return "SELECT \(columns.joined(separator: ", ")) FROM \(keys.rows("s"))"
    }

    /// The query for the key, the table's values, and the key and the presence of each reference.
    var surveyQuery: String {
        let columns = [keys.key("s")] + values + references.flatMap { [$0.key, $0.presence] }
        return "SELECT \(columns.joined(separator: ", ")) FROM \(keys.rows("s"))"
    }

    /// Returns the query for the keys and the table's values of the rows with a reference to one of the objects in the first parameter.
    func referringQuery(_ reference: Reference, _ spelling: ForeignSpelling) -> String {
        """
        SELECT \(([keys.key("s")] + values).joined(separator: ", ")) FROM \(keys.rows("s"))\(reference.join) \
        WHERE \(spelling.isListed(reference.joinedKey))
        """
    }

    /// Returns the keys in a row of ``rowsQuery`` for each reference.
    func references(in row: [StoredValue]) -> ArraySlice<StoredValue> {
        row[(1 + values.count)..<(1 + values.count + references.count)]
    }

    /// Returns the keys in a row of ``rowsQuery`` for each inverse.
    func inverses(in row: [StoredValue]) -> ArraySlice<StoredValue> {
        row[(1 + values.count + references.count)...]
    }
}

/// A table of two foreign keys, whose rows are the links of a many-to-many relationship.
///
/// Its queries give the table the alias `s`, and the tables of the objects the aliases `a` and `b`.
struct DatabaseLinks {
    let structure: TableStructure
    let spelling: ForeignSpelling
    let first: (table: DatabaseTable, slot: Int)
    let second: (table: DatabaseTable, slot: Int)

    private func condition(_ table: DatabaseTable, _ alias: String, _ number: Int) -> String {
        let reference = structure.references[number]
        return zip(table.referencedColumns(reference), reference.columns).map {
            "\(alias).\(ForeignSpelling.quoted($0)) = s.\(ForeignSpelling.quoted($1))"
        }.joined(separator: " AND ")
    }

    private var values: String {
        structure.columns.map { spelling.value($0, "s") }.joined(separator: ", ")
    }

    private var joined: String {
        spelling.table(structure) + " AS s"
            + first.table.keys.join("a", on: condition(first.table, "a", 0))
            + second.table.keys.join("b", on: condition(second.table, "b", 1))
    }

    /// The query for the pairs of linked objects whose first, or whose second object is in the first parameter, sorted by it.
    func pairsQuery(from owner: Int) -> String {
        let keys = [first.table.keys.key("a"), second.table.keys.key("b")]
        let (own, other) = (keys[owner], keys[1 - owner])
        return """
            SELECT \(own), \(other) FROM \(joined) WHERE \(spelling.isListed(own)) GROUP BY 1, 2 ORDER BY 1, 2
            """
    }

    /// The query for the other object's key and the table's values of the links of the objects in the first parameter.
    func linksQuery(from owner: Int) -> String {
        let keys = [first.table.keys.key("a"), second.table.keys.key("b")]
        return "SELECT \(keys[1 - owner]), \(values) FROM \(joined) WHERE \(spelling.isListed(keys[owner]))"
    }

    /// The query for the table's values of the links of which an object doesn't exist.
    var danglingQuery: String {
        func exists(_ table: DatabaseTable, _ alias: String, _ number: Int) -> String {
            "EXISTS (SELECT 1 FROM \(table.keys.rows(alias)) WHERE \(condition(table, alias, number)))"
        }
        return """
            SELECT \(values) FROM \(spelling.table(structure)) AS s \
            WHERE NOT (\(exists(first.table, "a", 0)) AND \(exists(second.table, "b", 1)))
            """
    }
}
