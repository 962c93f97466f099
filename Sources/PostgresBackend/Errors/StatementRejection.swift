#if Postgres
/// What a server says about a statement that it rejects.
struct StatementRejection {
    /// The primary message, which names columns and constraints.
    let message: String
    /// The server's suggestion.
    let hint: String?
    /// The number of Unicode scalars of the statement before the error; nil if the server doesn't say where the error is.
    let scalarOffset: Int?
}
#endif
