#if SQLite
/// The statements that nearly every block runs, which a connection has at hand without looking for them.
enum UsualStatement: Int, CaseIterable {
    case begin, beginWriting, commit
    case savepoint, releaseSavepoint
    /// Asks whether another connection has committed.
    case dataVersion
    /// Writes a line of the history.
    case historyLine

    var sql: String {
        switch self {
        case .begin: "BEGIN"
        case .beginWriting: "BEGIN IMMEDIATE"
        case .commit: "COMMIT"
        case .savepoint: "SAVEPOINT work"
        case .releaseSavepoint: "RELEASE work"
        case .dataVersion: "PRAGMA data_version"
        case .historyLine:
            """
            INSERT INTO "_store_history" ("sequence", "mark", "date", "author", "context", "changes") \
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """
        }
    }
}
#endif
