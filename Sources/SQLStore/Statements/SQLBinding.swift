package import ContextCore

/// A value that a statement carries beside its text.
package enum SQLBinding: Hashable, Sendable {
    /// One value, and what it is to be bound as.
    case value(StoredValue, SQLType)
    /// Many values at once, bound as one.
    case list([StoredValue], SQLType)
    /// Many keys at once.
    case keys([Int64])
    /// The moment at which the request began.
    case now
    /// The place of a value that comes with every run, a row's column for instance.
    case place(SQLType)
}

extension SQLBinding {
    /// A number of rows.
    static func rows(_ count: Int) -> SQLBinding { .value(.int(Int64(count)), .integer(bits: 64)) }
}
