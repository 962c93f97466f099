#if SQLite
import CSQLite
import ContextCore
import Foundation

/// Runs a statement that a user wrote.
struct SQLiteScript {
    let connection: SQLiteConnection
    /// Whether the script is restricted to statements that read.
    var isReading = false

    func run(_ sql: String, limit: Int?) throws(StoreError) -> StatementRows {
        try checkSingleStatement(sql)
        let statement: SQLiteStatement
        do throws(StoreError) {
            statement = try connection.statement(sql)
        } catch {
            throw rejectedStatementError(error, sql)
        }
        defer { statement.reset() }
        // VACUUM calls no authorizer. PRAGMAs that read a setting also count as writing, but return a column.
        if isReading, sqlite3_stmt_readonly(statement.handle) == 0,
            sqlite3_column_count(statement.handle) == 0
        {
            throw Self.writeNotAllowedError(nil)
        }
        let width = sqlite3_column_count(statement.handle)
        let names = (0..<width).map { String(cString: sqlite3_column_name(statement.handle, $0)) }
        var result = StatementRows(columns: names, rows: [])
        let before = connection.totalChangedRows
        do throws(StoreError) {
            while try statement.step() {
                if let limit, result.rows.count >= limit {
                    result.isTruncated = true
                    break
                }
                var row: [StoredValue] = []
                for column in 0..<width { row.append(Self.value(statement, column)) }
                result.rows.append(row)
            }
        } catch {
            throw rejectedStatementError(error, sql)
        }
        result.changedRows = Int(connection.totalChangedRows - before)
        return result
    }

    /// Throws if the text contains several statements or none; SQLite would ignore those after the first.
    private func checkSingleStatement(_ sql: String) throws(StoreError) {
        var rest: UnsafePointer<CChar>?
        var handle: OpaquePointer?
        let isAlone = sql.withCString { text in
            guard sqlite3_prepare_v2(connection.handle, text, -1, &handle, &rest) == SQLITE_OK else {
                return true
            }
            sqlite3_finalize(handle)
            var tail: OpaquePointer?
            // The rest may consist of whitespace and comments.
            guard let rest, sqlite3_prepare_v2(connection.handle, rest, -1, &tail, nil) == SQLITE_OK else {
                return false
            }
            defer { sqlite3_finalize(tail) }
            return tail == nil
        }
        guard isAlone else {
            throw StoreError(
                .unsupportedRequest, "The text contains more than one statement.",
                remedy: "Run the statements one by one.")
        }
        guard handle != nil || sqlite3_errcode(connection.handle) != SQLITE_OK else {
            throw StoreError(
                .unsupportedRequest, "The text contains no statement.", remedy: "Write one SQL statement.")
        }
    }

    /// Returns the error for a failed statement of a user, with SQLite's message and the place that it refers to.
    private func rejectedStatementError(_ error: StoreError, _ sql: String) -> StoreError {
        // The offset is that of the last error, and −1 if the error refers to no place.
        var offset = Int(sqlite3_error_offset(connection.handle))
        let result = sqlite3_errcode(connection.handle) & 0xFF
        let message = String(cString: sqlite3_errmsg(connection.handle))
        if error.code == .readOnly || result == SQLITE_AUTH || message.hasPrefix("not authorized") {
            return Self.writeNotAllowedError(error.detail)
        }
        if message == "incomplete input" { offset = Self.lengthWithoutSpaces(sql) }
        let code: StoreError.Code
        switch error.code {
        case .database: code = .unsupportedRequest
        case .conflict, .duplicate, .missingReference, .unsupportedRequest: code = error.code
        default: return error
        }
        return StoreError(
            code, "SQLite rejected the statement: \(message).", remedy: "Correct the statement.",
            detail: error.detail, cause: StatementPosition(in: sql, byteOffset: offset))
    }

    /// Returns the number of bytes before the whitespace at the end of a statement.
    private static func lengthWithoutSpaces(_ sql: String) -> Int {
        let end = sql.lastIndex { !$0.isWhitespace }.map(sql.index(after:)) ?? sql.startIndex
        return sql[..<end].utf8.count
    }

    private static func writeNotAllowedError(_ detail: String?) -> StoreError {
        StoreError(
            .readOnly, "The statement would change the database, or may have side effects.",
            remedy: "To run it, allow writing: 'storectl sql' has the option --write.", detail: detail)
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
