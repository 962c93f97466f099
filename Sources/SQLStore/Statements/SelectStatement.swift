/// A query, as a value.
package struct SelectStatement: Hashable, Sendable {
    /// A table or the answer of another query, and the name by which the query calls it.
    package struct Source: Hashable, Sendable {
        /// Where the rows come from.
        package indirect enum Content: Hashable, Sendable {
            case table(String)
            case query(SelectStatement)
        }

        package var content: Content
        package var alias: String

        package init(_ table: String, as alias: String) {
            content = .table(table)
            self.alias = alias
        }

        package init(_ query: SelectStatement, as alias: String) {
            content = .query(query)
            self.alias = alias
        }
    }

    /// A further table.
    package struct Join: Hashable, Sendable {
        package var source: Source
        /// Whether rows without a partner stay.
        package var isOuter: Bool
        package var condition: SQLExpression

        package init(_ source: Source, isOuter: Bool, on condition: SQLExpression) {
            self.source = source
            self.isOuter = isOuter
            self.condition = condition
        }
    }

    /// One key of an order.
    package struct Order: Hashable, Sendable {
        package var expression: SQLExpression
        package var isDescending: Bool
        /// Where rows without a value stand; nil where every row has one.
        package var nullsFirst: Bool?

        package init(_ expression: SQLExpression, isDescending: Bool = false, nullsFirst: Bool? = nil) {
            self.expression = expression
            self.isDescending = isDescending
            self.nullsFirst = nullsFirst
        }
    }

    /// Whose rows are kept from others, and what is done about rows that others keep.
    package struct Lock: Hashable, Sendable {
        package enum Wait: Hashable, Sendable {
            case waits, fails, skips
        }

        package var alias: String
        package var wait: Wait
    }

    package var columns: [SQLExpression]
    /// Whether the columns of all rows go to the dialect's gathering function, so that one row is all that is answered.
    package var isGathered = false
    /// What the columns are called; empty where nobody has to call them.
    package var names: [String] = []
    package var source: Source
    package var joins: [Join] = []
    package var filter: [SQLExpression] = []
    package var groupBy: [SQLExpression] = []
    package var having: SQLExpression?
    package var order: [Order] = []
    /// How many rows at the most.
    package var limit: SQLBinding?
    /// How many rows are passed over first.
    package var offset: SQLBinding?
    /// What is locked; nil for nothing.
    package var lock: Lock?

    package init(_ columns: [SQLExpression], from source: Source) {
        self.columns = columns
        self.source = source
    }
}
