package import ContextCore

/// The value of a placeholder.
package enum SQLBinding: Hashable, Sendable {
    /// One value and the type to bind it as.
    case value(StoredValue, SQLType)
    /// Many values, bound as one parameter.
    case list([StoredValue], SQLType)
    /// Many keys, bound as one parameter.
    case keys([Int64])
    /// The time at which the request began.
    case now
    /// A value that is bound for each run, such as a column of a row.
    case parameter(SQLType)
}

extension SQLBinding {
    /// A number of rows.
    static func rows(_ count: Int) -> SQLBinding { .value(.int(Int64(count)), .integer(bits: 64)) }
}
