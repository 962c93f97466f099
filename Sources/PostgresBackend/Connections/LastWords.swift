#if Postgres
import CPostgres

/// What a server said, without having been asked, before it ended a connection.
///
/// libpq has nobody else to tell: the next statement hears only that the connection is gone.
final class LastWords {
    private(set) var state: String?
    private(set) var text = ""
    /// The state of the last warning that tells why another node refused a commit, until the next result.
    private var refusal: String?

    /// Lets libpq tell it what the server remarks; it must live as long as the connection.
    func listen(to handle: OpaquePointer) {
        PQsetNoticeReceiver(
            handle,
            { context, result in
                guard let context, let result else { return }
                // takeUnretainedValue: the connection owns it for as long as libpq may call this.
                Unmanaged<LastWords>.fromOpaque(context).takeUnretainedValue().note(result)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Keeps what a result says, if it is the last there will be.
    func note(_ result: OpaquePointer) {
        // The severity that is in no other language.
        guard let severity = field(result, "V") else { return }
        if severity == "WARNING", let state = field(result, "C"), RelayedState.isRefusal(state) {
            refusal = state
        }
        guard severity == "FATAL" || severity == "PANIC" else { return }
        state = field(result, "C")
        text = field(result, "M") ?? ""
    }

    /// Returns the state of an error, which is another node's where the server reports that as an error of its own.
    func state(of error: String, _ message: String) -> String {
        defer { refusal = nil }
        guard error == RelayedState.internalError else { return error }
        return refusal ?? RelayedState.state(ofMessage: message) ?? error
    }

    /// Forgets the warnings of a statement that succeeded.
    func forgetRefusal() {
        if refusal != nil { refusal = nil }
    }

    private func field(_ result: OpaquePointer, _ code: Unicode.Scalar) -> String? {
        PQresultErrorField(result, Int32(code.value)).map { String(cString: $0) }
    }
}
#endif
