#if Postgres
/// The SQLSTATE of an error that the server passes on from another node.
///
/// Citus passes most errors on as they are. Two of them it reports as internal errors, XX000: a row that a node refuses while rows are
/// copied to it has the node's message, and a commit that a node refuses has a warning before it with the node's state.
enum RelayedState {
    /// The state of an error that reports itself as an internal one.
    static let internalError = "XX000"

    /// Returns the state that belongs to a message.
    ///
    /// The message has to be English: a node has no other way to say what it refuses, and `lc_messages` is for its administrator to set.
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

    /// Returns whether a warning of a state tells why a node refused a commit: a broken constraint or another transaction.
    static func isRefusal(_ state: String) -> Bool { state.hasPrefix("23") || state.hasPrefix("40") }
}
#endif
