#if SQLite
/// The most frequent statements, which a connection keeps prepared outside of its cache.
enum FrequentStatement: Int, CaseIterable {
    case begin, beginWriting, commit
    case savepoint, releaseSavepoint
    /// Reads whether another connection has committed.
    case dataVersion
    /// Inserts a history record.
    case historyInsertion

    var sql: String {
        switch self {
        case .begin: "BEGIN"
        case .beginWriting: "BEGIN IMMEDIATE"
        case .commit: "COMMIT"
        case .savepoint: "SAVEPOINT work"
        case .releaseSavepoint: "RELEASE work"
        case .dataVersion: "PRAGMA data_version"
        case .historyInsertion:
            """
            INSERT INTO "_store_history" ("sequence", "mark", "date", "author", "context", "changes") \
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """
        }
    }
}
#endif
