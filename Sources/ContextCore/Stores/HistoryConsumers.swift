/// The consumers of a store's history, which the store keeps among its notes.
enum HistoryConsumers {
    /// What the names of their notes begin with.
    static let prefix = "history.consumer."

    /// Whether a note is one of theirs, and not the program's.
    static func isNote(_ name: String) -> Bool { name.hasPrefix(prefix) }

    /// How far each has read, by its name.
    static func sequences(in notes: [String: String]) -> [String: Int64] {
        Dictionary(
            uniqueKeysWithValues: notes.compactMap { name, value in
                guard isNote(name), let sequence = Int64(value) else { return nil }
                return (String(name.dropFirst(prefix.count)), sequence)
            })
    }

    /// What a program has noted, without what the store notes itself.
    static func without(_ notes: [String: String]) -> [String: String] { notes.filter { !isNote($0.key) } }
}

extension WriteSession {
    /// Notes what a program wants to know about the store, in place of what it noted before.
    ///
    /// The store's own notes stay, and those of another store, which may come with the program's, are left out: they are about that
    /// store's history.
    package func replaceProgramNotes(by notes: [String: String]) throws {
        let own = try userInfo().filter { HistoryConsumers.isNote($0.key) }
        try setUserInfo(HistoryConsumers.without(notes).merging(own) { $1 })
    }
}
