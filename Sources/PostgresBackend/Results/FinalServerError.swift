#if Postgres
import CPostgres

/// The final error that a server sends on its own before it closes a connection.
///
/// libpq passes it only to a notice receiver; the next statement reports only that the connection is closed.
final class FinalServerError {
    private(set) var state: String?
    private(set) var text = ""
    /// The SQLSTATE of the last warning that another node has rejected a commit; nil after the next result.
    private var commitRejection: String?

    /// Registers the object as libpq's notice receiver; it must exist as long as the connection.
    func listen(to handle: OpaquePointer) {
        PQsetNoticeReceiver(
            handle,
            { context, result in
                guard let context, let result else { return }
                // takeUnretainedValue: the connection owns it for as long as libpq may call this.
                Unmanaged<FinalServerError>.fromOpaque(context).takeUnretainedValue().record(result)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Records the error of a result that ends the connection, and warnings about a rejected commit.
    func record(_ result: OpaquePointer) {
        // The field with the severity that isn't localized.
        guard let severity = field(result, "V") else { return }
        if severity == "WARNING", let state = field(result, "C"), RelayedSQLState.isCommitRejection(state) {
            commitRejection = state
        }
        guard severity == "FATAL" || severity == "PANIC" else { return }
        state = field(result, "C")
        text = field(result, "M") ?? ""
    }

    /// Returns the SQLSTATE of an error; for an error that the server relays from another node, that of the original error.
    func state(of error: String, _ message: String) -> String {
        defer { commitRejection = nil }
        guard error == RelayedSQLState.internalError else { return error }
        return commitRejection ?? RelayedSQLState.state(ofMessage: message) ?? error
    }

    /// Discards the warnings of a statement that succeeded.
    func discardCommitRejection() {
        if commitRejection != nil { commitRejection = nil }
    }

    private func field(_ result: OpaquePointer, _ code: Unicode.Scalar) -> String? {
        PQresultErrorField(result, Int32(code.value)).map { String(cString: $0) }
    }
}
#endif
