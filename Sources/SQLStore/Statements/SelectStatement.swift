/// A SELECT statement as a syntax tree.
package struct SelectStatement: Hashable, Sendable {
    /// A table or subquery and its alias.
    package struct Source: Hashable, Sendable {
        /// The source of the rows.
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

    /// A joined table.
    package struct Join: Hashable, Sendable {
        package var source: Source
        /// Whether the join is a LEFT JOIN.
        package var isOuter: Bool
        package var condition: SQLExpression

        package init(_ source: Source, isOuter: Bool, on condition: SQLExpression) {
            self.source = source
            self.isOuter = isOuter
            self.condition = condition
        }
    }

    /// A sort term.
    package struct Order: Hashable, Sendable {
        package var expression: SQLExpression
        package var isDescending: Bool
        /// Whether nulls sort first, or nil if the expression is never null.
        package var nullsFirst: Bool?

        package init(_ expression: SQLExpression, isDescending: Bool = false, nullsFirst: Bool? = nil) {
            self.expression = expression
            self.isDescending = isDescending
            self.nullsFirst = nullsFirst
        }
    }

    /// The table whose rows are locked, and how the statement treats rows that other transactions have locked.
    package struct Lock: Hashable, Sendable {
        package enum Wait: Hashable, Sendable {
            case waits, fails, skips
        }

        package var alias: String
        package var wait: Wait
    }

    package var columns: [SQLExpression]
    /// Whether the columns of all rows are passed to the dialect's row-gathering function, so that the result is one row.
    package var isGathered = false
    /// The names of the columns; empty if no outer query refers to them.
    package var names: [String] = []
    package var source: Source
    package var joins: [Join] = []
    package var filter: [SQLExpression] = []
    package var groupBy: [SQLExpression] = []
    package var having: SQLExpression?
    package var order: [Order] = []
    /// The maximum number of rows.
    package var limit: SQLBinding?
    /// The number of rows to skip.
    package var offset: SQLBinding?
    /// The row lock, or nil for none.
    package var lock: Lock?

    package init(_ columns: [SQLExpression], from source: Source) {
        self.columns = columns
        self.source = source
    }
}
