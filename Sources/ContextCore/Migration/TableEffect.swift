/// What a step means for one table: how others are kept from it, and what becomes of its rows.
public struct TableEffect: Sendable, Hashable, Codable {
    /// What becomes of the rows of a table, the least first.
    public enum Work: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
        /// Nothing, and none is looked at.
        case none
        /// Nothing; but every program that begins to use the store waits for the table.
        case closed
        /// All are read.
        case read
        /// All are read for an index.
        case indexed
        /// Some go, or lead nowhere from then on.
        case deleted
        /// All get values, batch by batch.
        case filled
        /// All are written anew.
        case rewritten
        /// They go with the table.
        case dropped

        public static func < (left: Work, right: Work) -> Bool {
            let order = allCases
            return (order.firstIndex(of: left) ?? 0) < (order.firstIndex(of: right) ?? 0)
        }
    }

    /// The table, by the name that it has when the step begins.
    public var table: String
    /// The strongest lock on it, in the database's own words; nil where the step needs none that keeps others waiting, or the database
    /// locks no tables.
    public var lock: String?
    /// What becomes of its rows.
    public var work: Work

    package init(table: String, lock: String?, work: Work) {
        self.table = table
        self.lock = lock
        self.work = work
    }
}

extension TableEffect.Work {
    /// What becomes of the rows, for a person.
    var words: String {
        switch self {
        case .none: "in place"
        case .closed: "every program waits"
        case .read: "read"
        case .indexed: "indexed"
        case .deleted: "rows deleted"
        case .filled: "filled"
        case .rewritten: "written anew"
        case .dropped: "dropped"
        }
    }
}

/// How many rows a table has.
public struct RowCount: Sendable, Hashable, CustomStringConvertible {
    /// How many there are, or may be.
    public var rows: Int
    /// Whether the database reckons so, and nobody has counted them.
    public var isEstimated: Bool

    /// Says how many there are.
    public init(rows: Int, isEstimated: Bool) {
        self.rows = rows
        self.isEstimated = isEstimated
    }

    /// The number for a person: `1,204 rows`, or `about 1,200,000 rows`.
    public var description: String {
        if !isEstimated { return "\(rows.groupedDigits) \(rows == 1 ? "row" : "rows")" }
        // More digits would look like knowledge.
        var unit = 1
        while rows / unit >= 100 { unit *= 10 }
        return "about \(((rows + unit / 2) / unit * unit).groupedDigits) rows"
    }
}
