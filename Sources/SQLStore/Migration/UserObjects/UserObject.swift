import ContextCore

/// A user-defined object in the store's database: a trigger, a view, an index or a constraint.
package struct UserObject: Hashable, Sendable {
    /// The kind of object.
    package enum Kind: String, Hashable, Sendable {
        case trigger, view, index, constraint
    }

    package var kind: Kind
    package var name: String
    /// The table that it belongs to, or a view's own name.
    package var table: String
    /// The statement that creates it.
    package var sql: String
    /// The columns that it uses, if the database reports them.
    package var columns: Set<String>

    package init(_ kind: Kind, name: String, table: String, sql: String, columns: Set<String> = []) {
        self.kind = kind
        self.name = name
        self.table = table
        self.sql = sql
        self.columns = columns
    }

    /// Whether the statement contains a name as a word, ignoring case.
    func mentions(_ name: String) -> Bool {
        let wanted = name.lowercased()
        return sql.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "$") }.contains {
            $0 == wanted
        }
    }

    /// Whether its statement or its table refers to a table.
    func refersTo(_ table: String) -> Bool { self.table == table || mentions(table) }
}
