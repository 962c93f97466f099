/// New rows of one entity, for which the store may already have rows with the same unique values.
///
/// With a ``constraint``, a stored row with the same values of that constraint is updated instead of inserting the new row. It keeps its key
/// and its entity, and gets the columns of ``Group/columns`` and the next version, unless all of these columns have the new values already. A
/// column with JSON always counts as changed. The stored row must belong to the entity or to one of its subentities; otherwise the new row
/// has the conflict ``RowConflict/Reason/duplicate(constraint:otherKey:)``.
///
/// Without a constraint, a new row is left out if a stored row, or an earlier row of the batch, has the same values of any unique
/// constraint.
///
/// Null never equals null, so a row with a null in a constraint's columns is new to that constraint.
public struct BatchUpsert: Sendable {
    /// New rows that set the same columns of stored rows.
    public struct Group: Sendable {
        /// The new rows: complete, with unused keys and their initial versions.
        public let rows: RowBatch
        /// The columns to set in a stored row, sorted, without those of the constraint.
        public let columns: [Int]

        /// Creates a group.
        package init(rows: RowBatch, columns: [Int]) {
            self.rows = rows
            self.columns = columns
        }
    }

    /// The rows, at most one for each combination of the constraint's values; exactly one group if there is no constraint.
    public let groups: [Group]
    /// The constraint that identifies stored rows; nil to leave out the rows that violate any constraint.
    public let constraint: UniqueColumns?

    /// Creates an upsert that updates the rows with the same values of a constraint.
    ///
    /// No two of the new rows may have the same values of the constraint.
    package init(updating groups: [Group], matching constraint: UniqueColumns) {
        self.groups = groups
        self.constraint = constraint
    }

    /// Creates an upsert that leaves out the rows that violate a unique constraint.
    package init(ignoringDuplicates rows: RowBatch) {
        groups = [Group(rows: rows, columns: [])]
        constraint = nil
    }

    /// The number of new rows.
    package var rowCount: Int { groups.reduce(0) { $0 + $1.rows.count } }

    /// Returns the changes of the case that the store has none of the rows.
    package func insertions(entityIndex: Int, author: String?) -> ChangeSet {
        var changes = ChangeSet(author: author)
        changes.inserts = groups.map { ChangeSet.Insertion(entityIndex: entityIndex, rows: $0.rows) }
        return changes
    }
}
