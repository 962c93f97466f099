import ContextCore

/// The selected columns of each entity's rows, with all values or without those stored outside of the rows.
package struct RowSelections: Sendable {
    private let withExternalValues: [SelectedColumns]
    /// The selections without external values, by entity; nil for entities that have none.
    private let withoutExternalValues: [SelectedColumns?]

    package init(_ mapping: StoreMapping) {
        withExternalValues = mapping.entities.indices.map { SelectedColumns(mapping, entityIndex: $0) }
        withoutExternalValues = mapping.entities.map { entity in
            entity.layout.familyIndices.contains { mapping.entities[$0].hasExternalColumns }
                ? SelectedColumns(mapping, entityIndex: entity.layout.index, defersExternalValues: true) : nil
        }
    }

    /// Returns the selected columns of an entity and its subentities.
    package func selection(of entityIndex: Int, defersExternalValues: Bool) -> SelectedColumns {
        defersExternalValues
            ? withoutExternalValues[entityIndex] ?? withExternalValues[entityIndex]
            : withExternalValues[entityIndex]
    }

    package subscript(entityIndex: Int) -> SelectedColumns { withExternalValues[entityIndex] }
}
