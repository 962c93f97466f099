package import ContextCore

/// The table and columns that store the rows of one entity.
package struct EntityMapping: Sendable {
    /// The entity.
    package let layout: EntityLayout
    /// Its table, which all entities of an inheritance tree share.
    package let table: String
    /// The entity's number in the store, which stays the same across migrations.
    package let number: Int
    /// Whether the table has a column with the number of each row's entity.
    package let hasEntityColumn: Bool
    /// The columns, in the order of the entity's layout.
    package let columns: [ColumnMapping]
    /// The storage of each to-many relationship, by slot.
    package let collections: [Int: CollectionMapping]
    /// The references to an entity that is not the root of its tree, whose entity foreign keys don't check.
    package let narrowReferences: [(column: Int, destinationIndex: Int)]
    /// Whether values of some columns may be stored outside of their row.
    package let hasExternalColumns: Bool
}

extension EntityMapping {
    /// Returns the names of the properties that columns belong to, without duplicates, sorted by their bytes.
    package func propertyNames(ofColumns columns: [Int]) -> [String] {
        Set(columns.map { layout.properties[layout.columns[$0].slot].name }).sorted { $0.precedesByBytes($1) }
    }
}
