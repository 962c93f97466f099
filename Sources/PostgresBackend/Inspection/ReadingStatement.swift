#if Postgres
import CPostgres
import ContextCore
import SQLStore

/// Runs a user's statement that must change neither the database nor the server.
///
/// - It sends only statements that read.
/// - They may not call volatile functions, such as those that end sessions, acquire locks, write files or advance sequences, except for a
///   list of functions without side effects.
/// - The transaction is read-only and is rolled back at the end. The statement can't make it writable, since the transaction already has a
///   snapshot and a savepoint.
///
/// It doesn't check functions that a view or another function calls; these can't change data in a read-only transaction either.
struct ReadingStatement {
    /// The first words of reading statements.
    private static let readingKeywords: Set<String> = [
        "select", "with", "values", "table", "explain", "show",
    ]
    /// The volatile functions without side effects.
    private static let allowedFunctions: Set<String> = [
        "clock_timestamp", "currval", "gen_random_uuid", "lastval", "pg_blocking_pids", "pg_column_size",
        "pg_current_logfile", "pg_current_wal_flush_lsn", "pg_current_wal_insert_lsn", "pg_current_wal_lsn",
        "pg_database_size", "pg_indexes_size", "pg_is_in_backup", "pg_is_in_recovery",
        "pg_is_wal_replay_paused", "pg_last_wal_receive_lsn", "pg_last_wal_replay_lsn",
        "pg_last_xact_replay_timestamp", "pg_lock_status", "pg_partition_ancestors", "pg_partition_root",
        "pg_partition_tree", "pg_relation_size", "pg_safe_snapshot_blocking_pids", "pg_sleep",
        "pg_stat_file", "pg_table_size", "pg_tablespace_size", "pg_total_relation_size", "random",
        "timeofday", "ts_rewrite", "uuidv4", "uuidv7",
    ]

    let connection: PostgresConnection
    let configuration: PostgresConfiguration

    func run(_ sql: String, limit: Int?) throws(StoreError) -> StatementRows {
        let words = StatementWords(sql)
        guard let verb = words.first, Self.readingKeywords.contains(verb) else {
            throw Self.readOnlyError(
                "Reading statements begin with SELECT, WITH, VALUES, TABLE, EXPLAIN or SHOW.")
        }
        try connection.execute(
            "BEGIN READ ONLY; SET LOCAL search_path = \(configuration.quotedSchema), pg_temp; SAVEPOINT reading"
        )
        defer { if connection.isInTransaction { try? connection.execute("ROLLBACK") } }
        try checkFunctions(words.called)
        connection.setCancellationScope(.statements)
        // Before the ROLLBACK, which the cancelled task must not interrupt.
        defer { connection.setCancellationScope(.nothing) }
        return try connection.runText(sql, limit: limit)
    }

    /// Throws if a called function is volatile.
    ///
    /// The query also takes the transaction's snapshot.
    private func checkFunctions(_ called: Set<StatementWords.Call>) throws(StoreError) {
        var parameters = PostgresParameters()
        parameters.append(called.map(\.name).sorted().joined(separator: "\n"))
        let result = try connection.run(
            """
            SELECT DISTINCT p.proname::text, n.nspname::text, pg_catalog.pg_function_is_visible(p.oid) \
            FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace \
            WHERE p.provolatile = 'v' AND p.proname::text = ANY (string_to_array($1, E'\\n')) ORDER BY 1, 2
            """, parameters)
        for row in 0..<result.count {
            let (name, schema) = (result.text(row, 0), result.text(row, 1))
            if schema == "pg_catalog", Self.allowedFunctions.contains(name) { continue }
            let isVisible = result.integer(row, 2) != 0
            let isCalled = called.contains { call in
                call.name == name && (call.schema.map { $0 == schema } ?? isVisible)
            }
            if isCalled { throw Self.readOnlyError("The function \(name) may have side effects.") }
        }
    }

    private static func readOnlyError(_ detail: String) -> StoreError {
        StoreError(
            .readOnly,
            "The statement may change the database, and was not run. \(detail)",
            remedy: "If it should, pass `writing: true` (in storectl: --write).")
    }
}

/// A scan of a statement for its first word and the names of the functions that it may call.
struct StatementWords {
    /// The first word in lower case, after any parentheses.
    private(set) var first: String?
    /// All names before an opening parenthesis, in lower case unless quoted.
    private(set) var called: Set<Call> = []

    /// The name of a function, with its schema if the statement qualifies it.
    struct Call: Hashable {
        let schema: String?
        let name: String
    }

    /// Scans a statement, skipping comments and string literals; names may be quoted.
    init(_ sql: String) {
        var rest = Array(sql.unicodeScalars)[...]
        var name: String? {
            didSet {
                schema = name == nil ? nil : qualifier
                qualifier = nil
            }
        }
        // The qualifier of the current name, and a name that a dot follows.
        var schema: String?
        var qualifier: String?
        while let scalar = rest.first {
            if scalar.properties.isWhitespace {
                rest.removeFirst()
            } else if rest.starts(with: "--".unicodeScalars) {
                rest = rest.drop { $0 != "\n" && $0 != "\r" }
            } else if rest.starts(with: "/*".unicodeScalars) {
                Self.dropComment(&rest)
            } else if scalar == "\"" {
                name = Self.quoted(&rest, "\"", escapes: false)
                first = first ?? name
            } else if scalar == "'" {
                _ = Self.quoted(&rest, "'", escapes: false)
                name = nil
            } else if scalar == "$", Self.dropDollarText(&rest) {
                name = nil
            } else if Self.isWord(scalar) {
                let word = String(String.UnicodeScalarView(rest.prefix(while: Self.isWord)))
                rest = rest.dropFirst(word.unicodeScalars.count)
                if word.lowercased() == "e", rest.first == "'" {
                    _ = Self.quoted(&rest, "'", escapes: true)
                    name = nil
                } else {
                    name = word.lowercased()
                    first = first ?? name
                }
            } else {
                if scalar == "(", let name { called.insert(Call(schema: schema, name: name)) }
                let dotted = scalar == "." ? name : nil
                if scalar != "(" && scalar != "&" { first = first ?? "" }
                // Names in the form U&"…" contain escapes: set a first word that isn't allowed.
                if scalar == "&", name == "u", rest.dropFirst().first == "\"" { first = "" }
                name = nil
                qualifier = dotted
                rest.removeFirst()
            }
        }
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar == "$" || scalar.value > 127 || scalar.properties.isAlphabetic
            || scalar.properties.numericType != nil
    }

    /// Drops a comment, which may contain nested ones.
    private static func dropComment(_ rest: inout ArraySlice<Unicode.Scalar>) {
        var depth = 0
        repeat {
            if rest.starts(with: "/*".unicodeScalars) {
                depth += 1
                rest = rest.dropFirst(2)
            } else if rest.starts(with: "*/".unicodeScalars) {
                depth -= 1
                rest = rest.dropFirst(2)
            } else {
                rest = rest.dropFirst()
            }
        } while depth > 0 && !rest.isEmpty
    }

    private static func quoted(
        _ rest: inout ArraySlice<Unicode.Scalar>, _ delimiter: Unicode.Scalar, escapes: Bool
    ) -> String {
        var text = String.UnicodeScalarView()
        rest.removeFirst()
        while let scalar = rest.popFirst() {
            if escapes, scalar == "\\" {
                rest = rest.dropFirst()
            } else if scalar != delimiter {
                text.append(scalar)
            } else if rest.first == delimiter {
                text.append(delimiter)
                rest.removeFirst()
            } else {
                break
            }
        }
        return String(text)
    }

    /// Drops a literal of the form `$tag$…$tag$`, and returns whether there is one.
    private static func dropDollarText(_ rest: inout ArraySlice<Unicode.Scalar>) -> Bool {
        let tag = rest.dropFirst().prefix { isWord($0) && $0 != "$" }
        guard tag.endIndex < rest.endIndex, rest[tag.endIndex] == "$" else { return false }
        let delimiter = Array(rest[rest.startIndex...tag.endIndex])
        rest = rest.dropFirst(delimiter.count)
        while !rest.isEmpty, !rest.starts(with: delimiter) { rest = rest.dropFirst() }
        rest = rest.dropFirst(delimiter.count)
        return true
    }
}
#endif
