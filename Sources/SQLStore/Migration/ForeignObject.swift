import ContextCore

/// Something in a database that is not the store's own: a trigger, a view, an index or a constraint of somebody else.
package struct ForeignObject: Hashable, Sendable {
    /// Names what it is.
    package enum Kind: String, Hashable, Sendable {
        case trigger, view, index, constraint
    }

    package var kind: Kind
    package var name: String
    /// The table that it belongs to; a view's own name.
    package var table: String
    /// The statement that made it.
    package var sql: String
    /// The columns of the table that it is of, where a database says so.
    package var columns: Set<String>

    package init(_ kind: Kind, name: String, table: String, sql: String, columns: Set<String> = []) {
        self.kind = kind
        self.name = name
        self.table = table
        self.sql = sql
        self.columns = columns
    }

    /// Whether the statement has a name among its words, however it is spelled.
    func mentions(_ name: String) -> Bool {
        let wanted = name.lowercased()
        return sql.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "$") }.contains {
            $0 == wanted
        }
    }

    /// Whether it is about a table, as far as its statement tells.
    func isAbout(_ table: String) -> Bool { self.table == table || mentions(table) }
}
