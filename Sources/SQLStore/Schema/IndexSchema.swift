/// An index of a table.
package struct IndexSchema: Hashable, Sendable {
    /// A column of an index and its direction.
    package struct Column: Hashable, Sendable {
        package var name: String
        package var isDescending: Bool

        package init(_ name: String, isDescending: Bool = false) {
            self.name = name
            self.isDescending = isDescending
        }
    }

    package var name: String
    package var columns: [Column]
    package var isUnique: Bool
    /// The numbers of the entities whose rows are indexed, or nil for all rows.
    package var entities: [Int]?
    /// The condition for rows to be indexed, which uses only columns of the table, or nil for all rows.
    package var predicate: SQLExpression?

    package init(
        _ name: String, columns: [Column], isUnique: Bool = false, entities: [Int]? = nil,
        predicate: SQLExpression? = nil
    ) {
        self.name = name
        self.columns = columns
        self.isUnique = isUnique
        self.entities = entities
        self.predicate = predicate
    }
}
