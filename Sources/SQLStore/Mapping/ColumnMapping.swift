/// The column that stores an attribute or reference of an entity.
package struct ColumnMapping: Hashable, Sendable {
    /// The column's name in the table.
    package let name: String
    /// The column's type.
    package let type: SQLType
    /// Whether the column is nullable: its property is optional, other entities of the table don't have it, or its values may
    /// be stored outside of the row.
    package let isNullable: Bool
    /// The storage of large values, or nil if all values are in the row.
    package var external: ExternalColumn?
}
