package import ContextCore

extension ChangeSet {
    /// The same changes, from whatever versions a store has: what a store applies that doesn't look at versions.
    package func ignoringVersions(in session: any ReadSession) throws -> ChangeSet {
        var changes = self
        changes.updates = try updates.map { update in
            let keys = (0..<update.rows.count).map(update.rows.key)
            let stored = try session.rows(keys, entityIndex: update.entityIndex)
            let versions = Dictionary(
                uniqueKeysWithValues: (0..<stored.count).map { (stored.key(at: $0), stored.version(at: $0)) })
            var update = update
            update.baseVersions = zip(keys, update.baseVersions).map { versions[$0] ?? $1 }
            return update
        }
        return changes
    }
}
