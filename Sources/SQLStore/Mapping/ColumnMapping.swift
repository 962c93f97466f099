/// Where a table keeps one column of an entity's rows.
package struct ColumnMapping: Hashable, Sendable {
    /// The column's name in the table.
    package let name: String
    /// What it keeps.
    package let type: SQLType
    /// Whether it may hold no value: its property is optional, or other entities of the table don't have it, or its values may lie
    /// outside of the row.
    package let isNullable: Bool
    /// Where its large values are; nil where all values are in the row.
    package var external: ExternalColumn?
}
