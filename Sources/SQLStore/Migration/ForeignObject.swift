import ContextCore

/// Something in a database that is not the store's own: a trigger, a view, or an index of somebody else.
package struct ForeignObject: Hashable, Sendable {
    /// Names what it is.
    package enum Kind: String, Hashable, Sendable {
        case trigger, view, index
    }

    package var kind: Kind
    package var name: String
    /// The table that it belongs to; a view's own name.
    package var table: String
    /// The statement that made it.
    package var sql: String

    package init(_ kind: Kind, name: String, table: String, sql: String) {
        self.kind = kind
        self.name = name
        self.table = table
        self.sql = sql
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
