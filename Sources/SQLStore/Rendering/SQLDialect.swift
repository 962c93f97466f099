package import ContextCore

/// The SQL syntax of one kind of database.
package struct SQLDialect: Sendable {
    /// The quotation mark of identifiers, doubled inside of them.
    package var quote: Character
    /// The schema with the store's tables and functions, or nil if the database has no schemas.
    package var schema: String?
    /// Renders the placeholder of the n-th parameter, counted from 1.
    package var placeholder: @Sendable (Int) -> String
    /// Whether equal values of a statement share one parameter.
    ///
    /// Otherwise a database that compares expressions by their text would consider `GROUP BY "score" + $2` different from `"score" + $1`.
    package var sharesParameters = false
    /// Renders a value in an expression.
    package var constant: @Sendable (SQLBinding) -> SQLFragment = { "\($0)" }
    /// Renders the clause that locks the rows of a query; empty if a writer locks the whole database.
    package var lock: @Sendable (SelectStatement.Lock) -> SQLFragment = { _ in "" }
    /// The maximum number of bytes of an identifier, or nil if there is no limit.
    package var maximumNameLength: Int?
    /// Renders the type of a column.
    package var columnType: @Sendable (SQLType) -> SQLFragment
    /// The text after the closing parenthesis of CREATE TABLE.
    package var tableSuffix: SQLFragment
    /// The text after the closing parenthesis of CREATE TABLE of join tables, which have no key column of their own.
    package var linkTableSuffix: SQLFragment
    /// The clause that defers the check of a foreign key to the end of the transaction.
    package var deferral: SQLFragment
    /// The operator for equality that treats nulls as equal, such as `IS NOT DISTINCT FROM`.
    package var same: SQLFragment
    /// The negation of ``same``.
    package var different: SQLFragment
    /// Renders the condition that the preceding expression is one of the keys in one parameter.
    package var isAmongKeys: @Sendable (SQLFragment) -> SQLFragment
    /// Renders a query for the values of one list parameter, encoded as in a column of a type.
    package var listQuery: @Sendable (SQLFragment, SQLType) -> SQLFragment
    /// Renders a value as a literal, or returns nil if its type has no literal.
    package var literal: @Sendable (StoredValue, SQLType) -> SQLFragment?
    /// The function that collects all rows of a query in one step, or nil if the database returns rows in batches.
    package var gathering: RowGathering?
    /// The condition that a row of the metadata is one of the program's user info, whose names begin with `user.`.
    package var isUserInfo: SQLFragment = #""name" >= 'user.' AND "name" < 'user/'"#
    /// Renders a function call, or returns nil if the database doesn't have the function.
    package var call: @Sendable (SQLFunction, [SQLFragment]) -> SQLFragment?

    package init(
        quote: Character, placeholder: @escaping @Sendable (Int) -> String, maximumNameLength: Int?,
        columnType: @escaping @Sendable (SQLType) -> SQLFragment, tableSuffix: SQLFragment,
        linkTableSuffix: SQLFragment, deferral: SQLFragment, same: SQLFragment, different: SQLFragment,
        isAmongKeys: @escaping @Sendable (SQLFragment) -> SQLFragment,
        listQuery: @escaping @Sendable (SQLFragment, SQLType) -> SQLFragment,
        literal: @escaping @Sendable (StoredValue, SQLType) -> SQLFragment?,
        call: @escaping @Sendable (SQLFunction, [SQLFragment]) -> SQLFragment?
    ) {
        self.quote = quote
        self.placeholder = placeholder
        self.maximumNameLength = maximumNameLength
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

    /// An aggregate function that receives the columns of every row in any order.
    package struct RowGathering: Sendable {
        package let function: String
        /// The maximum number of arguments.
        package let maximumColumns: Int

        package init(function: String, maximumColumns: Int) {
            self.function = function
            self.maximumColumns = maximumColumns
        }
    }

    /// Whether the row-gathering function accepts a number of columns.
    package func supportsGathering(_ columns: Int) -> Bool {
        gathering.map { columns <= $0.maximumColumns } ?? false
    }

    /// Passes columns to the row-gathering function, if there is one.
    package func gatheringCall(_ columns: SQLFragment) -> SQLFragment {
        gathering.map { "\(name: $0.function)(\(columns))" } ?? columns
    }

    /// Returns the quoted name of a table or function of the store.
    package func stored(_ name: String) -> String {
        schema.map { "\(quoted($0)).\(quoted(name))" } ?? quoted(name)
    }

    /// Returns a quoted identifier.
    package func quoted(_ name: String) -> String {
        var quoted = String(quote)
        for character in name.unicodeScalars {
            // NUL would end the statement; checked models have no such names.
            if Character(character) == quote { quoted.unicodeScalars.append(character) }
            if character.value != 0 { quoted.unicodeScalars.append(character) }
        }
        quoted.append(quote)
        return quoted
    }
}
