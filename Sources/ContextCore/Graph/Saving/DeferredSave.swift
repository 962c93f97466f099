/// A deferred save: the last save of a write whose block has ended, which a group may apply together with saves of other writes.
struct DeferredSave {
    let changes: ChangeSet
    /// Marks the objects as saved.
    let markSaved: () -> Void
    /// Saves without the group, and resolves conflicts.
    let saveAlone: () throws -> Void

    /// The maximum number of rows of a deferred save; a larger save takes much longer than the round trip that
    /// deferring it avoids.
    static let maximumRows = 64
    /// The maximum size of text and data of a deferred save, because many of them wait in memory.
    static let maximumBytes = 1 << 18

    /// Whether changes may be deferred.
    ///
    /// Only inserts may be deferred, because they don't depend on what other transactions have saved.
    static func canDefer(_ changes: ChangeSet) -> Bool {
        !changes.defersDerivations && !changes.inserts.contains(where: copiesFromOtherObjects)
            && changes.updates.isEmpty && changes.deletes.isEmpty && changes.links.isEmpty
            && changes.inserts.reduce(0) { $0 + $1.rows.count } <= maximumRows
            && changes.inserts.reduce(0) { $0 + $1.rows.heapSize } <= maximumBytes
    }

    /// Whether changes may be sent to the store together with COMMIT, because the commit doesn't depend on their
    /// result.
    static func canSendWithCommit(_ changes: ChangeSet) -> Bool {
        let rows = changes.inserts.map(\.rows) + changes.updates.map(\.rows)
        return !changes.defersDerivations && changes.deletes.isEmpty && changes.links.isEmpty
            && rows.reduce(0) { $0 + $1.count } <= maximumRows
            && rows.reduce(0) { $0 + $1.heapSize } <= maximumBytes
    }

    private static func copiesFromOtherObjects(_ insertion: ChangeSet.Insertion) -> Bool {
        insertion.rows.model.layouts[insertion.entityIndex].copiesFromOtherObjects
    }
}
