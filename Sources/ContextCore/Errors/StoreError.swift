/// An error of a store or a context, with a remedy.
///
/// ```swift
/// do { try context.save() } catch StoreError.Code.conflict { try context.refreshAll() }
/// ```
public struct StoreError: Error, Sendable {
    /// The kind of error, on which programs branch.
    public let code: Code
    /// One sentence for people, without attribute values.
    public let message: String
    /// What the user or the developer can do about the error.
    public let remedy: String?
    /// The conflicts behind a ``Code/conflict`` or ``Code/duplicate``.
    public let conflicts: [SaveConflict]
    /// The failures behind a ``Code/validation``.
    public let failures: [ValidationFailure]
    /// Where a history can continue after a ``Code/historyExpired``; nil if no history was requested.
    public let expiredHistory: ExpiredHistory?
    /// The database's message: SQL, SQLSTATE or result code.
    ///
    /// It never contains bound values.
    public let detail: String?
    /// The underlying error.
    public let cause: (any Error)?

    /// Creates an error.
    public init(
        _ code: Code, _ message: String, remedy: String? = nil, conflicts: [SaveConflict] = [],
        failures: [ValidationFailure] = [], expiredHistory: ExpiredHistory? = nil, detail: String? = nil,
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.remedy = remedy
        self.conflicts = conflicts
        self.failures = failures
        self.expiredHistory = expiredHistory
        self.detail = detail
        self.cause = cause
    }
}

extension StoreError: CustomStringConvertible, CustomDebugStringConvertible {
    /// The message, the validation failures, the conflicts and the remedy.
    public var description: String {
        ([message] + failures.map(\.description) + conflicts.map(\.description) + (remedy.map { [$0] } ?? []))
            .joined(separator: " ")
    }

    /// The description with the code, the database's message and the underlying errors.
    public var debugDescription: String {
        var text = "[\(code)] \(description)"
        if let detail { text += " (\(detail))" }
        if let cause { text += " Caused by: \(String(reflecting: cause))" }
        return text
    }
}
