import ContextCore
import OrderChecking

/// A write session of an in-memory store, with a bug.
final class FaultyWriteSession: FaultyReadSession, WriteSession {
    private let session: any WriteSession
    private let model: ObjectModel
    private var whenEnded: (() -> Void)?

    init(
        _ session: any WriteSession, _ defect: Defect, _ model: ObjectModel, whenEnded: @escaping () -> Void
    ) {
        self.session = session
        self.model = model
        self.whenEnded = whenEnded
        super.init(session, defect) { session }
    }

    var transactions: [StoreToken] { session.transactions }

    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64> {
        let keys = try session.reserveKeys(count, rootIndex: rootIndex)
        return defect == .reusesKeys ? 1..<Int64(count) + 1 : keys
    }

    func apply(_ changes: ChangeSet) throws -> SaveReceipt {
        var changes = changes
        switch defect {
        case .forgetsLinks: changes.links = []
        case .forgetsDeletions: changes.deletes = []
        case .losesAuthors: changes.author = nil
        case .ignoresVersions: changes = try changes.ignoringVersions(in: session)
        case .placesNewRows: changes.links.insert(contentsOf: places(of: changes.inserts), at: 0)
        default: break
        }
        let receipt = try session.apply(changes)
        return receipt.conflicts.isEmpty ? receipt : try self.receipt(for: receipt.conflicts, of: changes)
    }

    /// Returns the receipt for conflicts, which the bug changes.
    private func receipt(for conflicts: [RowConflict], of changes: ChangeSet) throws -> SaveReceipt {
        var conflicts = conflicts
        switch defect {
        case .appliesHalfOfConflicts:
            var half = ChangeSet(author: changes.author)
            half.links = changes.links
            _ = try session.apply(half)
        case .toleratesLooseLinks:
            var rest = changes
            rest.links = []
            return try session.apply(rest)
        case .namesAnotherRow:
            for index in conflicts.indices {
                guard case .duplicate(let names, let other) = conflicts[index].reason else { continue }
                conflicts[index].reason = .duplicate(constraint: names, otherKey: other + 1)
            }
        case .bindsConstraintsToOneEntity: try conflicts.removeAll(where: isBetweenEntities)
        default: break
        }
        return SaveReceipt(conflicts: conflicts)
    }

    private func isBetweenEntities(_ conflict: RowConflict) throws -> Bool {
        guard case .duplicate(_, let other) = conflict.reason else { return false }
        let rows = try session.rows([other], entityIndex: model.layouts[conflict.entityIndex].rootIndex)
        return rows.count == 0 || rows.entityIndex(at: 0) != conflict.entityIndex
    }

    /// Returns positions at the end of ordered relationships for new rows without a position.
    private func places(of insertions: [ChangeSet.Insertion]) -> [ChangeSet.LinkChange] {
        insertions.flatMap { insertion in
            model.layouts[insertion.entityIndex].properties.compactMap { property in
                guard let relationship = property.relationship, let column = property.columns.first,
                    let slot = relationship.inverseSlot,
                    let inverse = model.layouts[relationship.destinationIndex].properties[slot].relationship,
                    inverse.description.isOrdered
                else { return nil }
                let rows = (0..<insertion.rows.count).map { StoredRow(insertion.rows, $0) }
                let links = rows.compactMap { row in
                    row.reference(column).map {
                        RelatedRows.Link(owner: $0, target: row.key, position: 1_000_000)
                    }
                }
                return ChangeSet.LinkChange(
                    entityIndex: relationship.destinationIndex, slot: slot, placed: links)
            }
        }
    }

    func perform(_ batch: BatchPlan) throws -> BatchReceipt {
        var batch = batch
        if defect == .changesSubentities { batch.includesSubentities = true }
        guard defect == .forgetsDerivations else { return try session.perform(batch) }
        let derivations = try StaleDerivations(session, model)
        let receipt = try session.perform(batch)
        try derivations.restore()
        return receipt
    }

    func userInfo() throws -> [String: String] { try session.userInfo() }
    func setUserInfo(_ userInfo: [String: String]) throws { try session.setUserInfo(userInfo) }
    func pruneHistory(through token: StoreToken) throws { try session.pruneHistory(through: token) }
    func beginSavepoint(_ options: SessionOptions) throws { try session.beginSavepoint(options) }

    func endSavepoint(keepingWork: Bool) throws {
        try session.endSavepoint(keepingWork: keepingWork || defect == .keepsWhatIsUndone)
    }

    func commit() throws -> StoreToken {
        defer { recordEnd() }
        return try session.commit()
    }

    func rollback() {
        if defect == .keepsWhatIsRolledBack { _ = try? session.commit() } else { session.rollback() }
        recordEnd()
    }

    override func end() {
        if defect == .keepsWhatIsRolledBack { _ = try? session.commit() } else { session.end() }
        recordEnd()
    }

    private func recordEnd() {
        whenEnded?()
        whenEnded = nil
    }
}
