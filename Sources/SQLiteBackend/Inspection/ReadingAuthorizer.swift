#if SQLite
import CSQLite
import ContextCore

/// Restricts a user's statements to reading, on a connection for `storectl` queries.
///
/// `query_only` alone is not enough: it allows PRAGMAs that change the journal mode or checkpoint the log.
enum ReadingAuthorizer {
    /// PRAGMAs that only read, with or without an argument.
    private static let readOnlyPragmas: Set<String> = [
        "collation_list", "compile_options", "database_list", "foreign_key_check", "foreign_key_list",
        "function_list", "index_info", "index_list", "index_xinfo", "integrity_check", "module_list",
        "pragma_list", "quick_check", "table_info", "table_list", "table_xinfo",
    ]
    /// PRAGMAs that read a setting without an argument, and change it with one.
    private static let settingPragmas: Set<String> = [
        "application_id", "auto_vacuum", "busy_timeout", "cache_size", "cell_size_check", "data_version",
        "encoding", "foreign_keys", "freelist_count", "journal_mode", "journal_size_limit", "locking_mode",
        "max_page_count", "mmap_size", "page_count", "page_size", "query_only", "recursive_triggers",
        "schema_version", "secure_delete", "synchronous", "temp_store", "threads", "user_version",
        "wal_autocheckpoint",
    ]
    /// Functions with side effects.
    private static let functionsWithEffects: Set<String> = [
        "edit", "fts3_tokenizer", "load_extension", "sqlite_log", "writefile",
    ]

    /// Makes a connection reject statements that do more than read.
    static func install(on connection: SQLiteConnection) {
        sqlite3_set_authorizer(
            connection.handle,
            { _, action, first, second, _, _ in
                ReadingAuthorizer.allows(
                    action, first.map { String(cString: $0) }, second.map { String(cString: $0) })
                    ? SQLITE_OK : SQLITE_DENY
            }, nil)
    }

    /// Removes the restriction from a connection.
    static func remove(from connection: SQLiteConnection) {
        sqlite3_set_authorizer(connection.handle, nil, nil)
    }

    /// Whether SQLite may compile an action (https://www.sqlite.org/c3ref/c_alter_table.html).
    static func allows(_ action: Int32, _ first: String?, _ second: String?) -> Bool {
        switch action {
        case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE: true
        // SQLite reports this action when it declares a table-valued function such as pragma_table_info; a real UPDATE of the table
        // is refused, since that requires writable_schema.
        case SQLITE_UPDATE: first == "sqlite_master"
        case SQLITE_FUNCTION: !functionsWithEffects.contains(second?.lowercased() ?? "")
        case SQLITE_PRAGMA:
            first.map {
                readOnlyPragmas.contains($0.lowercased())
                    || second == nil && settingPragmas.contains($0.lowercased())
            }
                ?? false
        default: false
        }
    }
}
#endif
