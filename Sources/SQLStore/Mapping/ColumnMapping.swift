/// Where a table keeps one column of an entity's rows.
package struct ColumnMapping: Hashable, Sendable {
    /// The column's name in the table.
    package let name: String
    /// What it keeps.
    package let type: SQLType
    /// Whether it may hold no value: its property is optional, or other entities of the table don't have it.
    package let isNullable: Bool
}
