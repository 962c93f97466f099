/// Collects the changes of one transaction as keys, and converts them to identifiers only if there are listeners.
struct StoreChangeBuilder {
    private struct Group {
        let entityIndex: Int
        let kind: HistoryChange.Kind
        let keys: [Int64]
    }

    private let model: ObjectModel
    private let identifiers: IdentifierSpaces
    private var groups: [Group] = []
    private var saveCount = 0
    private var contextName: String?
    private var author: String?

    init(model: ObjectModel, identifiers: IdentifierSpaces) {
        self.model = model
        self.identifiers = identifiers
    }

    /// Whether there are no changes.
    var isEmpty: Bool { groups.isEmpty }

    /// Adds the changes of an applied save.
    mutating func add(_ changes: ChangeSet) {
        record(contextName: changes.contextName, author: changes.author)
        for insert in changes.inserts { add(insert.entityIndex, .insert, keys(insert.rows)) }
        for update in changes.updates { add(update.entityIndex, .update, keys(update.rows)) }
        for link in changes.links { add(link) }
        for delete in changes.deletes { add(delete.entityIndex, .delete, delete.keys) }
    }

    /// Adds the changes of a batch.
    mutating func add(_ receipt: BatchReceipt, author: String?) {
        record(contextName: nil, author: author)
        for change in receipt.changes { add(change.entityIndex, change.kind, [change.key]) }
    }

    /// Adds the changes of another process's transaction.
    mutating func add(_ transaction: HistoryTransaction) {
        record(contextName: transaction.contextName, author: transaction.author)
        for change in transaction.changes { add(change.entityIndex, change.kind, [change.key]) }
    }

    /// Returns the change to publish after the commit.
    ///
    /// - Parameters:
    ///   - token: The position in the history after the change.
    ///   - last: The number of the last transaction, if it may be after the token; see ``StoreChange/last``.
    func change(token: StoreToken, through last: Int64? = nil) -> StoreChange {
        var effects = NetEffects()
        for group in groups {
            let entity = model.layouts[group.entityIndex]
            for key in group.keys { effects.record(group.kind, identifiers.id(of: key, in: entity)) }
        }
        return StoreChange(
            token: token, through: last, contextName: contextName, author: author, effects: effects)
    }

    private mutating func record(contextName: String?, author: String?) {
        saveCount += 1
        self.contextName = saveCount == 1 || self.contextName == contextName ? contextName : nil
        self.author = saveCount == 1 || self.author == author ? author : nil
    }

    private mutating func add(_ entityIndex: Int, _ kind: HistoryChange.Kind, _ keys: [Int64]) {
        if !keys.isEmpty { groups.append(Group(entityIndex: entityIndex, kind: kind, keys: keys)) }
    }

    /// Adds a link as an update of the source and the destination.
    private mutating func add(_ change: ChangeSet.LinkChange) {
        let links = change.placed + change.moved + change.removed
        add(change.entityIndex, .update, links.map(\.owner))
        let property = model.layouts[change.entityIndex].properties[change.slot]
        if let destination = property.relationship?.destinationIndex {
            add(destination, .update, links.map(\.target))
        }
    }

    private func keys(_ rows: RowBatch) -> [Int64] { (0..<rows.count).map(rows.key) }
}
