/// The registered consumers of a store's history, which are stored in its metadata.
enum HistoryConsumers {
    /// The prefix of their metadata keys.
    static let prefix = "history.consumer."

    /// Whether a metadata key belongs to a consumer and not to the program.
    static func isConsumerKey(_ name: String) -> Bool { name.hasPrefix(prefix) }

    /// Returns the number of the last transaction that each consumer has read, by name.
    static func sequences(in metadata: [String: String]) -> [String: Int64] {
        Dictionary(
            uniqueKeysWithValues: metadata.compactMap { name, value in
                guard isConsumerKey(name), let sequence = Int64(value) else { return nil }
                return (String(name.dropFirst(prefix.count)), sequence)
            })
    }

    /// Returns the part of a store's metadata that belongs to the program.
    static func programMetadata(_ metadata: [String: String]) -> [String: String] {
        metadata.filter { !isConsumerKey($0.key) }
    }
}

extension WriteSession {
    /// Replaces the program's metadata.
    ///
    /// The store's consumers stay registered. Consumers in the new metadata, which may be copied from another store, are omitted, because
    /// they refer to the history of that store.
    package func replaceProgramMetadata(by metadata: [String: String]) throws {
        let own = try userInfo().filter { HistoryConsumers.isConsumerKey($0.key) }
        try setUserInfo(HistoryConsumers.programMetadata(metadata).merging(own) { $1 })
    }
}
