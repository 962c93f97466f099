#if Postgres
import CPostgres
import ContextCore
import Foundation

extension PostgresConnection {
    /// Runs one statement of a user, and returns its rows with values in text format.
    ///
    /// The extended query protocol allows only one statement, so the text can't end the transaction and continue.
    func runText(_ sql: String, limit: Int?) throws(StoreError) -> StatementRows {
        try readOutstandingResults()
        // An error without a rejection, such as a lost connection, must not get the words of an earlier statement.
        discardLastRejection()
        let start = ContinuousClock.now
        guard PQsendQueryParams(handle, sql, 0, nil, nil, nil, nil, 0) == 1 else { throw abandonWithError() }
        let answer: PostgresResult
        do throws(StoreError) {
            answer = try self.readResult(of: sql, since: start)
        } catch {
            throw userStatementError(error, sql)
        }
        let columns = (0..<answer.width).map(answer.column)
        let count = limit.map { min($0, answer.count) } ?? answer.count
        let rows = (0..<count).map { row in
            columns.enumerated().map { place, column in
                answer.isNull(row, place) ? .null : Self.value(answer.text(row, place), column.type)
            }
        }
        return StatementRows(
            columns: columns.map(\.name), rows: rows, isTruncated: count < answer.count,
            changedRows: columns.isEmpty ? answer.changedRows : 0)
    }

    /// Returns the error of a user's statement, which isn't a bug in the library, with the server's own words.
    private func userStatementError(_ error: StoreError, _ sql: String) -> StoreError {
        switch error.code {
        case .database, .configuration: rejectionError(.unsupportedRequest, error, sql)
        case .conflict, .duplicate, .missingReference, .unsupportedRequest:
            rejectionError(error.code, error, sql)
        case .readOnly:
            StoreError(
                .readOnly, "The statement would change the database, or the role lacks a privilege for it.",
                remedy:
                    "If it should, pass `writing: true` (in storectl: --write), or grant the role the privilege.",
                detail: error.detail)
        default: error
        }
    }

    private func rejectionError(_ code: StoreError.Code, _ error: StoreError, _ sql: String) -> StoreError {
        guard let rejection = lastRejection else { return error }
        return StoreError(
            code, "PostgreSQL rejected the statement: \(rejection.message).",
            remedy: rejection.hint ?? "Correct the statement.", detail: error.detail,
            cause: rejection.scalarOffset.flatMap { StatementPosition(in: sql, scalarOffset: $0) })
    }

    /// Returns a value from its text: a Boolean or number for types with these OIDs (pg_type.dat), otherwise a string.
    private static func value(_ text: String, _ type: Oid) -> StoredValue {
        switch type {
        case 16: .bool(text == "t")
        case 20, 21, 23: Int64(text).map(StoredValue.int) ?? .string(text)
        case 700, 701: Double(text).flatMap { $0.isNaN ? nil : .double($0) } ?? .string(text)
        default: .string(text)
        }
    }
}
#endif
