import ContextCore

/// What is selected of whole rows, by entity: with all of their values, or without those that lie outside of the rows.
package struct RowSelections: Sendable {
    private let whole: [SelectedColumns]
    /// By entity; nil where no value lies outside.
    private let deferring: [SelectedColumns?]

    package init(_ mapping: StoreMapping) {
        whole = mapping.entities.indices.map { SelectedColumns(mapping, entityIndex: $0) }
        deferring = mapping.entities.map { entity in
            entity.layout.familyIndices.contains { mapping.entities[$0].hasExternalColumns }
                ? SelectedColumns(mapping, entityIndex: entity.layout.index, defersExternalValues: true) : nil
        }
    }

    /// What is selected of an entity's rows and of its subentities'.
    package func selection(of entityIndex: Int, defersExternalValues: Bool) -> SelectedColumns {
        defersExternalValues ? deferring[entityIndex] ?? whole[entityIndex] : whole[entityIndex]
    }

    package subscript(entityIndex: Int) -> SelectedColumns { whole[entityIndex] }
}
