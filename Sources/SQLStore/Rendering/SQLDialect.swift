package import ContextCore

/// How one kind of database spells what all of them know, as a value.
package struct SQLDialect: Sendable {
    /// What stands on both sides of a name; inside a name it is doubled.
    package var quote: Character
    /// The schema that holds the store's tables and functions; nil where a database has none.
    package var schema: String?
    /// Spells the placeholder of the n-th value, counted from 1.
    package var placeholder: @Sendable (Int) -> String
    /// Whether a value that a statement needs several times is bound once.
    ///
    /// Where it isn't, a database that goes by the text takes `GROUP BY "score" + $2` for something else than `"score" + $1`.
    package var bindsOnce = false
    /// Spells a value that stands in an expression.
    package var constant: @Sendable (SQLBinding) -> SQLFragment = { "\($0)" }
    /// Spells what locks the rows of a query; nothing where a writer has the database for itself.
    package var lock: @Sendable (SelectStatement.Lock) -> SQLFragment = { _ in "" }
    /// How many bytes a name may have; nil for any number.
    package var longestName: Int?
    /// Spells the type of a column.
    package var columnType: @Sendable (SQLType) -> SQLFragment
    /// What follows the parenthesis of CREATE TABLE.
    package var tableSuffix: SQLFragment
    /// The same for tables that keep nothing but links and have no key of their own.
    package var linkTableSuffix: SQLFragment
    /// What makes a foreign key wait for the end of the transaction.
    package var deferral: SQLFragment
    /// Compares two values of which either may be null, and is never unknown.
    package var same: SQLFragment
    /// The opposite.
    package var different: SQLFragment
    /// Spells that what stands before it is one of the keys of one bound value.
    package var isAmongKeys: @Sendable (SQLFragment) -> SQLFragment
    /// Spells a query that answers the values of one bound list, in the form in which a column of a type keeps them.
    package var listQuery: @Sendable (SQLFragment, SQLType) -> SQLFragment
    /// Spells a value of a type inside a statement that takes no bound values; nil where it has no such spelling.
    package var literal: @Sendable (StoredValue, SQLType) -> SQLFragment?
    /// The function that takes in all rows of a query; nil where a database answers as many at once as it likes.
    package var gathering: Gathering?
    /// Spells a function; nil where the database has none.
    package var call: @Sendable (SQLFunction, [SQLFragment]) -> SQLFragment?

    package init(
        quote: Character, placeholder: @escaping @Sendable (Int) -> String, longestName: Int?,
        columnType: @escaping @Sendable (SQLType) -> SQLFragment, tableSuffix: SQLFragment,
        linkTableSuffix: SQLFragment, deferral: SQLFragment, same: SQLFragment, different: SQLFragment,
        isAmongKeys: @escaping @Sendable (SQLFragment) -> SQLFragment,
        listQuery: @escaping @Sendable (SQLFragment, SQLType) -> SQLFragment,
        literal: @escaping @Sendable (StoredValue, SQLType) -> SQLFragment?,
        call: @escaping @Sendable (SQLFunction, [SQLFragment]) -> SQLFragment?
    ) {
        self.quote = quote
        self.placeholder = placeholder
        self.longestName = longestName
        self.columnType = columnType
        self.tableSuffix = tableSuffix
        self.linkTableSuffix = linkTableSuffix
        self.deferral = deferral
        self.same = same
        self.different = different
        self.isAmongKeys = isAmongKeys
        self.listQuery = listQuery
        self.literal = literal
        self.call = call
    }

    /// An aggregate function that is called with the columns of every row, in whatever order they are found.
    package struct Gathering: Sendable {
        package let function: String
        /// How many columns it takes at the most.
        package let mostColumns: Int

        package init(function: String, mostColumns: Int) {
            self.function = function
            self.mostColumns = mostColumns
        }
    }

    /// Whether the rows of a query can be gathered that have so many columns.
    package func gathers(_ columns: Int) -> Bool {
        gathering.map { columns <= $0.mostColumns } ?? false
    }

    /// Hands columns to the gathering function, where there is one.
    package func gathered(_ columns: SQLFragment) -> SQLFragment {
        gathering.map { "\(name: $0.function)(\(columns))" } ?? columns
    }

    /// The name of a table or a function of the store's, between quotes.
    package func stored(_ name: String) -> String {
        schema.map { "\(quoted($0)).\(quoted(name))" } ?? quoted(name)
    }

    /// A name between quotes.
    package func quoted(_ name: String) -> String {
        var quoted = String(quote)
        for character in name.unicodeScalars {
            // A quote is doubled; NUL would end the statement, and no checked model has it in a name.
            if Character(character) == quote { quoted.unicodeScalars.append(character) }
            if character.value != 0 { quoted.unicodeScalars.append(character) }
        }
        quoted.append(quote)
        return quoted
    }
}
