package import ContextCore

/// Where a store keeps the rows of one entity.
package struct EntityMapping: Sendable {
    /// The entity.
    package let layout: EntityLayout
    /// Its table, which all entities of an inheritance tree share.
    package let table: String
    /// The number that the store knows the entity by; it outlives changes of the model.
    package let number: Int
    /// Whether rows say which entity they are of.
    package let hasEntityColumn: Bool
    /// The columns, in the order of the entity's layout.
    package let columns: [ColumnMapping]
    /// Where each to-many relationship is kept, by slot.
    package let collections: [Int: CollectionMapping]
    /// The references that lead to an entity below the top of its tree, which foreign keys take no notice of.
    package let narrowReferences: [(column: Int, destinationIndex: Int)]
    /// Whether values of some columns may lie outside of their row.
    package let hasExternalColumns: Bool
}

extension EntityMapping {
    /// The names of the properties that columns belong to, each once, sorted by their bytes.
    package func propertyNames(ofColumns columns: [Int]) -> [String] {
        Set(columns.map { layout.properties[layout.columns[$0].slot].name }).sorted { $0.precedes($1) }
    }
}
