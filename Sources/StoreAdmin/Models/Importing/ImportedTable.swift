import ContextCore

/// A table with the properties that its columns are imported as.
struct ImportedTable {
    /// A foreign key that is imported as a to-one relationship.
    struct Reference {
        let reference: TableStructure.Reference
        let property: String
        /// The inverse relationship of the referenced table's entity.
        let inverse: String
        /// Whether the inverse is a to-one relationship, too.
        let isOneToOne: Bool
    }

    let structure: TableStructure
    let entity: String
    /// The attribute, or the relationship of a foreign key with one column, by column.
    var properties: [String: String] = [:]
    var references: [Reference] = []
    /// Whether the objects have other keys than the integer primary key.
    let replacesKey: Bool
    /// The columns that are left out.
    let omittedColumns: Set<String>
    /// The names of the imported tables.
    private let known: Set<String>

    init(
        _ structure: TableStructure, entity: String, among known: Set<String>, replacesKey: Bool,
        omittedColumns: Set<String> = []
    ) {
        self.structure = structure
        self.entity = entity
        self.known = known
        self.replacesKey = replacesKey
        self.omittedColumns = omittedColumns
    }

    /// Returns the qualified name of a column for remarks: `players.score`.
    func qualifiedName(_ column: String) -> String { "\(structure.name).\(column)" }

    func column(_ name: String) -> TableStructure.Column? { structure.columns.first { $0.name == name } }

    /// Whether a column alone is a foreign key, which becomes a relationship instead of an attribute.
    func isReference(_ column: String) -> Bool {
        structure.references.contains { $0.columns == [column] && known.contains($0.table) }
    }

    /// Whether a column is an integer primary key, which is replaced by the object's identifier.
    func isIntegerKey(_ column: TableStructure.Column) -> Bool { keepsKey(column.name) }

    /// Whether the values of a column are the keys of the objects.
    func keepsKey(_ column: String) -> Bool { structure.integerKey == column && !replacesKey }

    func isUnique(_ columns: [String]) -> Bool {
        let constraints = [structure.primaryKey] + structure.uniqueColumns
        return constraints.contains { !$0.isEmpty && Set($0) == Set(columns) }
    }

    /// Returns the properties of the given columns; nil if a column has no property.
    func properties(_ columns: [String]) -> [String]? {
        let properties = columns.compactMap { self.properties[$0] }
        return properties.count == columns.count ? properties : nil
    }
}

/// A table of two foreign keys that is imported as a many-to-many relationship.
struct ImportedLinks {
    let structure: TableStructure
    /// The entity of the table that the first foreign key references, and its relationship to the objects of the second.
    let first: (entity: String, property: String)
    /// The entity of the table that the second foreign key references, and its relationship to the objects of the first.
    let second: (entity: String, property: String)
}

extension TableStructure {
    /// The column of the primary key, if it is a single column of integers.
    var integerKey: String? {
        guard primaryKey.count == 1, let column = columns.first(where: { $0.name == primaryKey[0] }),
            [.int16, .int32, .int64].contains(column.type)
        else { return nil }
        return column.name
    }
}
