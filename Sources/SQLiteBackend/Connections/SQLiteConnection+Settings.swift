#if SQLite
import CSQLite
import ContextCore

extension SQLiteConnection {
    /// Applies the settings of a store's connections and verifies each of them.
    func configure(_ configuration: SQLiteConfiguration) throws(StoreError) {
        try protect()
        limit()
        let result = SQLiteFunctions.register(on: handle)
        if result != SQLITE_OK { throw error(result) }
        try registerGatherer()
        try set("foreign_keys", to: 1)
        try set("cell_size_check", to: 1)
        try set("temp_store", to: 2)
        try set("mmap_size", to: 0)
        try set("cache_size", to: -8000)
        if access == .readAndWrite {
            try set("synchronous", to: level(configuration))
            #if canImport(Darwin)
            // There, fsync leaves the data in the drive's cache, which a power failure clears.
            try set("fullfsync", to: 1)
            try set("checkpoint_fullfsync", to: 1)
            #endif
            try set("journal_size_limit", to: Int64(Checkpointing.truncatedSize))
            log.attach(to: handle)
        } else {
            try set("query_only", to: 1)
        }
    }

    /// Returns the value of `PRAGMA synchronous`.
    ///
    /// Deleting the rollback journal commits, and survives power loss only if the folder is synced too.
    private func level(_ configuration: SQLiteConfiguration) -> Int64 {
        let level = configuration.synchronous.level
        return configuration.journal == .delete && configuration.synchronous == .full ? level + 1 : level
    }

    /// Sets the journal mode, which is stored in the file.
    func setJournal(_ journal: SQLiteConfiguration.Journal) throws(StoreError) {
        let mode = try journalMode(after: "PRAGMA journal_mode = \(journal.rawValue)")
        guard mode == journal.rawValue else {
            throw StoreError(
                .inputOutput, "The journal mode of the store can't be set to \(journal.rawValue).",
                remedy: "Keep the store on a local file system, or open it with journal=delete.",
                detail: "SQLite returned \(mode ?? "nothing").")
        }
    }

    /// Changes the journal mode, and retries like a busy handler.
    ///
    /// The change begins with a read lock, for which SQLite doesn't call the handler
    /// (<https://sqlite.org/c3ref/busy_handler.html>).
    private func journalMode(after setting: String) throws(StoreError) -> String? {
        busy.start = .now
        defer { busy.start = nil }
        var attempt = 0
        while true {
            do throws(StoreError) {
                return try text(setting)
            } catch {
                guard error.code == .busy, busy.pause(attempt) else { throw error }
                attempt += 1
            }
        }
    }

    /// Disables features that a malicious database could exploit (https://www.sqlite.org/c3ref/c_dbconfig_defensive.html).
    private func protect() throws(StoreError) {
        let flags: [(Int32, Int32)] = [
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
            (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0),
            (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0), (SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1),
        ]
        for (flag, wanted) in flags {
            var answer: Int32 = -1
            let result = csqlite_db_config_flag(handle, flag, wanted, &answer)
            guard result == SQLITE_OK, answer == wanted else {
                throw StoreError.sqlite(result, detail: "the flag \(flag) could not be set")
            }
        }
    }

    /// The limits of statements and schemas, which the library's own statements don't reach.
    ///
    /// The length of values keeps SQLite's default limit, because programs may store large values.
    static let limits: [(category: Int32, limit: Int32)] = [
        (SQLITE_LIMIT_ATTACHED, 0), (SQLITE_LIMIT_TRIGGER_DEPTH, 10),
        (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000),
        (SQLITE_LIMIT_WORKER_THREADS, 0), (SQLITE_LIMIT_SQL_LENGTH, 1_000_000), (SQLITE_LIMIT_COLUMN, 2000),
        (SQLITE_LIMIT_EXPR_DEPTH, 1000), (SQLITE_LIMIT_VARIABLE_NUMBER, 32_766),
        (SQLITE_LIMIT_COMPOUND_SELECT, 50),
    ]

    private func limit() {
        for (category, limit) in Self.limits { sqlite3_limit(handle, category, limit) }
    }

    /// The maximum number of parameters of a statement.
    var parameterLimit: Int { Int(sqlite3_limit(handle, SQLITE_LIMIT_VARIABLE_NUMBER, -1)) }

    private func set(_ name: String, to value: Int64) throws(StoreError) {
        _ = try integer("PRAGMA \(name) = \(value)")
        let answer = try integer("PRAGMA \(name)")
        // A build of SQLite without memory-mapped files returns nothing for mmap_size.
        guard answer == value || answer == nil && name == "mmap_size" else {
            throw StoreError(
                .database, "The SQLite setting \(name) could not be changed.",
                remedy: "Use a build of SQLite with the default options.",
                detail: "It is \(answer ?? -1) instead of \(value).")
        }
    }
}
#endif
