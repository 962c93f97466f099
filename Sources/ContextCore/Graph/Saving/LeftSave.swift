/// The last save of a write whose block is done, as long as it isn't applied: it can be applied together with those of others.
struct LeftSave {
    let changes: ChangeSet
    /// Lets the objects be what has been saved.
    let accept: () -> Void
    /// Applies the changes by themselves, and deals with what stands in their way.
    let saveAlone: () throws -> Void

    /// How many rows are worth waiting with; more than that take so long that the way to the store doesn't count.
    static let mostRows = 64
    /// How many bytes of text and data are worth waiting with, as many saves wait together.
    static let mostBytes = 1 << 18

    /// Whether changes may wait.
    ///
    /// Only where they insert: such a save relies on nothing that others have saved.
    static func takes(_ changes: ChangeSet) -> Bool {
        !changes.leavesDerivations && !changes.inserts.contains(where: copiesFromOthers)
            && changes.updates.isEmpty && changes.deletes.isEmpty && changes.links.isEmpty
            && changes.inserts.reduce(0) { $0 + $1.rows.count } <= mostRows
            && changes.inserts.reduce(0) { $0 + $1.rows.heapSize } <= mostBytes
    }

    /// Whether changes may go to the store together with the commit of their transaction: those that nothing is to be asked for.
    static func goesWithCommit(_ changes: ChangeSet) -> Bool {
        let rows = changes.inserts.map(\.rows) + changes.updates.map(\.rows)
        return !changes.leavesDerivations && changes.deletes.isEmpty && changes.links.isEmpty
            && rows.reduce(0) { $0 + $1.count } <= mostRows
            && rows.reduce(0) { $0 + $1.heapSize } <= mostBytes
    }

    private static func copiesFromOthers(_ insertion: ChangeSet.Insertion) -> Bool {
        insertion.rows.model.layouts[insertion.entityIndex].copiesFromOthers
    }
}
