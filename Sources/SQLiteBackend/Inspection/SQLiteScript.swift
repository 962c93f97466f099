#if SQLite
import CSQLite
import ContextCore
import Foundation

/// Runs a statement that a person wrote.
struct SQLiteScript {
    let connection: SQLiteConnection
    /// Whether only statements that read are run.
    var isReading = false

    func run(_ sql: String, limit: Int?) throws(StoreError) -> StatementRows {
        try refuseSeveral(sql)
        let statement: SQLiteStatement
        do throws(StoreError) {
            statement = try connection.statement(sql)
        } catch {
            throw refused(error)
        }
        defer { statement.reset() }
        // VACUUM asks no authorizer. PRAGMAs that show a setting count as writing too, and have a column.
        if isReading, sqlite3_stmt_readonly(statement.handle) == 0,
            sqlite3_column_count(statement.handle) == 0
        {
            throw Self.refusal(nil)
        }
        let width = sqlite3_column_count(statement.handle)
        let names = (0..<width).map { String(cString: sqlite3_column_name(statement.handle, $0)) }
        var answer = StatementRows(columns: names, rows: [])
        let before = connection.totalChangedRows
        do throws(StoreError) {
            while try statement.step() {
                if let limit, answer.rows.count >= limit {
                    answer.isCut = true
                    break
                }
                var row: [StoredValue] = []
                for column in 0..<width { row.append(Self.value(statement, column)) }
                answer.rows.append(row)
            }
        } catch {
            throw refused(error)
        }
        answer.changedRows = Int(connection.totalChangedRows - before)
        return answer
    }

    /// SQLite prepares the first statement of a text and leaves the rest.
    private func refuseSeveral(_ sql: String) throws(StoreError) {
        var rest: UnsafePointer<CChar>?
        var handle: OpaquePointer?
        let isAlone = sql.withCString { text in
            guard sqlite3_prepare_v2(connection.handle, text, -1, &handle, &rest) == SQLITE_OK else {
                return true
            }
            sqlite3_finalize(handle)
            var tail: OpaquePointer?
            // What is left may be space and comments, which make no statement.
            guard let rest, sqlite3_prepare_v2(connection.handle, rest, -1, &tail, nil) == SQLITE_OK else {
                return false
            }
            defer { sqlite3_finalize(tail) }
            return tail == nil
        }
        guard isAlone else {
            throw StoreError(
                .unsupportedRequest, "There is more than one statement.", remedy: "Run them one by one.")
        }
        guard handle != nil || sqlite3_errcode(connection.handle) != SQLITE_OK else {
            throw StoreError(.unsupportedRequest, "There is no statement.", remedy: "Write one.")
        }
    }

    /// A statement that a person wrote is no fault of the library's: the message has SQLite's own words.
    private func refused(_ error: StoreError) -> StoreError {
        let result = sqlite3_errcode(connection.handle) & 0xFF
        let words = String(cString: sqlite3_errmsg(connection.handle))
        if error.code == .readOnly || result == SQLITE_AUTH || words.hasPrefix("not authorized") {
            return Self.refusal(error.detail)
        }
        guard error.code == .database else { return error }
        return StoreError(
            .unsupportedRequest,
            "SQLite refuses the statement: \(words).",
            remedy: "Correct the statement.", detail: error.detail)
    }

    private static func refusal(_ detail: String?) -> StoreError {
        StoreError(
            .readOnly, "The statement would change the database, or isn't one of those that only read.",
            remedy: "Say that it may write.", detail: detail)
    }

    private static func value(_ statement: SQLiteStatement, _ column: Int32) -> StoredValue {
        switch sqlite3_column_type(statement.handle, column) {
        case SQLITE_INTEGER: .int(statement.integer(column))
        case SQLITE_FLOAT: .double(statement.double(column))
        case SQLITE_TEXT: .string(String(decoding: statement.bytes(column), as: UTF8.self))
        case SQLITE_BLOB: .data(Data(statement.bytes(column)))
        default: .null
        }
    }
}
#endif
