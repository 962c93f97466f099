package import ContextCore

/// Writes the rows and links of a session's transaction; each call writes many rows.
///
/// A backend runs the statements; the extension decides which changes they write, in which order.
package protocol RowWriter {
    typealias Link = RelatedRows.Link
    associatedtype Reader: RowReader
    /// The reader on the same connection.
    var reader: Reader { get }
    /// Makes other transactions that change rows conflict with this one, which doesn't change them.
    func lockRows(_ rows: [ChangeSet.LockedRows]) throws(StoreError)
    /// Waits for all written changes; returns false if the version of a row has changed, or a reference has no target.
    func finishWriting(_ changes: ChangeSet) throws(StoreError) -> Bool
    /// Writes changes with a ``ConflictFindingWriter``, and returns the conflicts and the history record.
    func writeFindingConflicts(_ changes: ChangeSet) throws(StoreError) -> ([RowConflict], HistoryEncoder)
    /// Inserts rows without their external values.
    func insertRows(_ rows: RowBatch, into entity: EntityMapping) throws(StoreError)
    /// Inserts rows, and updates or keeps the stored rows with the same unique values, with few statements.
    ///
    /// - Parameter constraint: The constraint that finds stored rows; nil to keep the rows that violate any constraint.
    /// - Returns: The keys of the written rows and, if entities share the table, the numbers of their entities.
    func upsertRows(
        _ group: BatchUpsert.Group, matching constraint: UniqueColumns?, into entity: EntityMapping
    ) throws(StoreError) -> [[Int64]]
    /// Updates rows without their external values; returns false if the version of one has changed.
    ///
    /// A writer that sends statements in a pipeline returns true, and finds a changed version later.
    ///
    /// - Parameter update: The update that the rows belong to.
    func updateRows(
        _ rows: RowBatch, _ update: ChangeSet.Update, of entity: EntityMapping
    ) throws(StoreError) -> Bool
    /// Deletes rows; returns false, as ``updateRows(_:_:of:)`` does, if one is missing or its version has changed.
    func deleteRows(_ deletion: ChangeSet.Deletion) throws(StoreError) -> Bool
    /// Writes the external values of rows that are already written.
    func writeExternalValues(_ parts: [ExternalValues.Part], of entity: EntityMapping) throws(StoreError)
    /// Deletes the external values that an update has replaced by values small enough for the row itself.
    func deleteReplacedExternalValues(_ parts: [ExternalValues.Part], of entity: EntityMapping)
        throws(StoreError)
    /// Deletes rows without checking their versions.
    func delete(_ keys: [Int64], of entityIndex: Int) throws(StoreError)
    /// Returns the rows that have a position in an ordered relationship, and their positions.
    func positions(_ column: String, of table: String, _ keys: [Int64]) throws(StoreError) -> [RowPosition]
    /// Sets the positions of rows in an ordered relationship.
    func setPositions(_ positions: [RowPosition], _ column: String, of table: String) throws(StoreError)
    /// Removes links and returns those that existed.
    func remove(_ links: [Link], from table: CollectionMapping.Links) throws(StoreError) -> [Link]
    /// Inserts links, or moves them if the relationship is ordered.
    func insertOrMoveLinks(_ links: [Link], in table: CollectionMapping.Links) throws(StoreError)
    /// Inserts mirrored links unless they exist.
    func insertMirroredLinks(_ links: [Link], in table: CollectionMapping.Links) throws(StoreError)
    /// Clears rows' positions among their siblings, and returns the links that had one.
    func clearPositions(
        of links: [Link], among children: CollectionMapping.Children, position: String
    ) throws(StoreError) -> [Link]
    /// Changes the positions of members, and returns those that their owner still has.
    func move(_ links: [Link], in positions: MemberPositions) throws(StoreError) -> [Link]
}

/// The position of a row in an ordered relationship.
package struct RowPosition {
    package let key: Int64
    package let position: Int64

    package init(key: Int64, position: Int64) {
        self.key = key
        self.position = position
    }
}
