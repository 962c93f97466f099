#if Postgres
/// The SQLSTATE of an error that a Citus coordinator relays from another node.
///
/// Citus relays most errors unchanged. It reports two kinds as internal errors, XX000: if a node rejects a row of a `COPY`, the error has
/// the node's message; if a node rejects a commit, a warning with the node's SQLSTATE precedes the error.
enum RelayedSQLState {
    /// The SQLSTATE of an internal error.
    static let internalError = "XX000"

    /// Returns the SQLSTATE that belongs to a message of a node, or nil if the message isn't known.
    ///
    /// It recognizes English messages only. The administrator of a node sets their language with `lc_messages`.
    static func state(ofMessage message: String) -> String? {
        messages.first { message.contains($0.text) }?.state
    }

    private static let messages: [(text: String, state: String)] = [
        ("duplicate key value violates unique constraint", "23505"),
        ("violates foreign key constraint", "23503"),
        ("violates not-null constraint", "23502"),
        ("violates check constraint", "23514"),
        ("could not serialize access", "40001"),
        ("deadlock detected", "40P01"),
        ("canceling statement due to lock timeout", "55P03"),
        ("canceling statement due to statement timeout", "57014"),
        ("No space left on device", "53100"),
    ]

    /// Returns whether a warning with this state gives the reason of a rejected commit: a violated constraint or a serialization failure.
    static func isCommitRejection(_ state: String) -> Bool { state.hasPrefix("23") || state.hasPrefix("40") }
}
#endif
