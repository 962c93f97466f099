/// What went wrong in a store or a context, and what to do about it.
///
/// ```swift
/// do { try context.save() } catch StoreError.Code.conflict { try context.refreshAll() }
/// ```
public struct StoreError: Error, Sendable {
    /// What kind of trouble it is; programs branch on this.
    public let code: Code
    /// One sentence for a person, without any value of an attribute.
    public let message: String
    /// What can be done about it.
    public let remedy: String?
    /// The conflicts behind a ``Code/conflict`` or ``Code/duplicate``.
    public let conflicts: [SaveConflict]
    /// The failures behind a ``Code/validation``.
    public let failures: [ValidationFailure]
    /// Where a history can go on after a ``Code/historyExpired``; nil where none was asked for.
    public let expiredHistory: ExpiredHistory?
    /// The database's own words: SQL, SQLSTATE or result code.
    ///
    /// Never bound values.
    public let detail: String?
    /// The error behind this one.
    public let cause: (any Error)?

    /// Makes an error.
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
    /// The message and the remedy.
    public var description: String {
        ([message] + failures.map(\.description) + conflicts.map(\.description) + (remedy.map { [$0] } ?? []))
            .joined(separator: " ")
    }

    /// Adds the code, the database's own words and the causes.
    public var debugDescription: String {
        var text = "[\(code)] \(description)"
        if let detail { text += " (\(detail))" }
        if let cause { text += " Caused by: \(String(reflecting: cause))" }
        return text
    }
}
