package import ContextCore

/// Where the key sequence of an inheritance tree starts in a migration.
package enum KeySequenceOrigin: Sendable {
    /// At the beginning: the tree and its entities are new.
    case nothing
    /// After the keys of the older tree that its rows come from.
    case tree(Int)
    /// After the keys of all trees, because a removed entity of the tree may have belonged to any of them.
    case allTrees
}

/// The SQL syntax of one kind of database that only migrations need.
package struct MigrationDialect: Sendable {
    /// The name of the database product.
    package var name: String
    /// The SQL syntax for everything else.
    package var dialect: SQLDialect
    /// Whether a table is changed by creating a new one and copying the rows.
    package var rebuildsTables: Bool
    /// The statements before and after a schema transaction, as plans show them.
    package var frame: MigrationPlan.Frame
    /// The maximum number of columns of a table.
    package var maximumColumns: Int
    /// The maximum number of columns of an index.
    package var maximumIndexColumns: Int
    /// The query for the names that a new table can't have.
    package var existingNames: SQLFragment
    /// The statement that disables the idle timeout of an open transaction; nil if there is none.
    package var disableIdleTimeout: String?
    /// The expression for the current time.
    package var currentTime: SQLFragment
    /// The expression for a random UUID, different for each row.
    package var newUUID: SQLFragment
    /// Converts a value of one type to a wider type.
    package var widen: @Sendable (SQLFragment, SQLType, SQLType) -> SQLFragment
    /// Returns the number of bytes of a text, data or JSON value.
    package var byteCount: @Sendable (SQLFragment, SQLType) -> SQLFragment
    /// Returns the statements that set the key sequence of an inheritance tree.
    package var keySequenceStatements: @Sendable (_ number: Int, _ older: KeySequenceOrigin) -> [SQLFragment]

    package init(
        name: String, dialect: SQLDialect, rebuildsTables: Bool, frame: MigrationPlan.Frame,
        maximumColumns: Int,
        maximumIndexColumns: Int, existingNames: SQLFragment,
        disableIdleTimeout: String? = nil, currentTime: SQLFragment, newUUID: SQLFragment,
        widen: @escaping @Sendable (SQLFragment, SQLType, SQLType) -> SQLFragment,
        byteCount: @escaping @Sendable (SQLFragment, SQLType) -> SQLFragment,
        keySequenceStatements: @escaping @Sendable (Int, KeySequenceOrigin) -> [SQLFragment]
    ) {
        self.name = name
        self.dialect = dialect
        self.rebuildsTables = rebuildsTables
        self.frame = frame
        self.maximumColumns = maximumColumns
        self.maximumIndexColumns = maximumIndexColumns
        self.existingNames = existingNames
        self.disableIdleTimeout = disableIdleTimeout
        self.currentTime = currentTime
        self.newUUID = newUUID
        self.widen = widen
        self.byteCount = byteCount
        self.keySequenceStatements = keySequenceStatements
    }

    /// Renders a fragment without parameters.
    func text(_ fragment: SQLFragment) -> String { SQLText(fragment, dialect).sql }
}
