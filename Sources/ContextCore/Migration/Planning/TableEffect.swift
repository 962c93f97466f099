/// The effect of a step on one table: its lock and the work on its rows.
public struct TableEffect: Sendable, Hashable, Codable {
    /// The work on the rows of a table, least to most.
    public enum Work: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
        /// The rows are neither read nor written.
        case none
        /// The rows are neither read nor written, but every program that starts to use the store waits for the table.
        case closed
        /// All rows are read.
        case read
        /// All rows are read to build an index.
        case indexed
        /// Some rows are deleted, or lose references.
        case deleted
        /// All rows get values, batch by batch.
        case filled
        /// All rows are rewritten.
        case rewritten
        /// The rows are dropped with the table.
        case dropped

        public static func < (left: Work, right: Work) -> Bool {
            let order = allCases
            return (order.firstIndex(of: left) ?? 0) < (order.firstIndex(of: right) ?? 0)
        }
    }

    /// The name of the table when the step starts.
    public var table: String
    /// The strongest lock on the table, with the database's name for it; nil if no other transaction has to wait, or the database
    /// doesn't lock tables.
    public var lock: String?
    /// The work on its rows.
    public var work: Work

    package init(table: String, lock: String?, work: Work) {
        self.table = table
        self.lock = lock
        self.work = work
    }
}

extension TableEffect.Work {
    /// The work on the rows, for people.
    var words: String {
        switch self {
        case .none: "in place"
        case .closed: "every program waits"
        case .read: "read"
        case .indexed: "indexed"
        case .deleted: "rows deleted"
        case .filled: "filled"
        case .rewritten: "rewritten"
        case .dropped: "dropped"
        }
    }
}

/// The number of rows of a table.
public struct RowCount: Sendable, Hashable, CustomStringConvertible {
    /// The exact or estimated number.
    public var rows: Int
    /// Whether the number is an estimate of the database.
    public var isEstimated: Bool

    /// Creates a number of rows.
    public init(rows: Int, isEstimated: Bool) {
        self.rows = rows
        self.isEstimated = isEstimated
    }

    /// The number as text: `1,204 rows`, or `about 1,200,000 rows`.
    public var description: String {
        if !isEstimated { return "\(rows.groupedDigits) \(rows == 1 ? "row" : "rows")" }
        // Rounds an estimate to two digits, because more would look exact.
        var unit = 1
        while rows / unit >= 100 { unit *= 10 }
        return "about \(((rows + unit / 2) / unit * unit).groupedDigits) rows"
    }
}
