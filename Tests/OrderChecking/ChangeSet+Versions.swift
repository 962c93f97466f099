package import ContextCore

extension ChangeSet {
    /// Returns the changes with the versions that the store has now, as a store applies them that doesn't check versions.
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
