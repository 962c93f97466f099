#if SQLite
import CSQLite
import ContextCore

/// Decides which statements of a person SQLite compiles on a connection that may change nothing.
///
/// `query_only` alone is not enough: it lets through PRAGMAs that change the journal mode or move the log into the file.
enum ReadingAuthorizer {
    /// PRAGMAs that only show something, with and without an argument.
    private static let showing: Set<String> = [
        "collation_list", "compile_options", "database_list", "foreign_key_check", "foreign_key_list",
        "function_list", "index_info", "index_list", "index_xinfo", "integrity_check", "module_list",
        "pragma_list", "quick_check", "table_info", "table_list", "table_xinfo",
    ]
    /// PRAGMAs that show a setting where they have no argument, and change it where they have one.
    private static let settings: Set<String> = [
        "application_id", "auto_vacuum", "busy_timeout", "cache_size", "cell_size_check", "data_version",
        "encoding", "foreign_keys", "freelist_count", "journal_mode", "journal_size_limit", "locking_mode",
        "max_page_count", "mmap_size", "page_count", "page_size", "query_only", "recursive_triggers",
        "schema_version", "secure_delete", "synchronous", "temp_store", "threads", "user_version",
        "wal_autocheckpoint",
    ]
    /// Functions that reach beyond the statement's result.
    private static let functionsWithEffects: Set<String> = [
        "edit", "fts3_tokenizer", "load_extension", "sqlite_log", "writefile",
    ]

    /// Makes a connection refuse to compile what doesn't only read.
    static func install(on connection: SQLiteConnection) {
        sqlite3_set_authorizer(
            connection.handle,
            { _, action, first, second, _, _ in
                ReadingAuthorizer.allows(
                    action, first.map { String(cString: $0) }, second.map { String(cString: $0) })
                    ? SQLITE_OK : SQLITE_DENY
            }, nil)
    }

    /// Makes a connection compile every statement again.
    static func remove(from connection: SQLiteConnection) {
        sqlite3_set_authorizer(connection.handle, nil, nil)
    }

    /// Whether SQLite may compile an action (https://www.sqlite.org/c3ref/c_alter_table.html).
    static func allows(_ action: Int32, _ first: String?, _ second: String?) -> Bool {
        switch action {
        case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE: true
        // SQLite asks this when it declares a table-valued function such as pragma_table_info; a statement that names the table
        // itself is refused, since nobody may write to it without writable_schema.
        case SQLITE_UPDATE: first == "sqlite_master"
        case SQLITE_FUNCTION: !functionsWithEffects.contains(second?.lowercased() ?? "")
        case SQLITE_PRAGMA:
            first.map {
                showing.contains($0.lowercased()) || second == nil && settings.contains($0.lowercased())
            }
                ?? false
        default: false
        }
    }
}
#endif
