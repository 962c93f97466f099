package import ContextCore

/// Says behind which keys an inheritance tree gives out its own.
package enum KeySpaceOrigin: Sendable {
    /// The tree is new, and so are its entities.
    case nothing
    /// Those of an older tree, which its rows are from.
    case tree(Int)
    /// Those of all trees: nobody knows any more to which one an entity of the tree belonged before.
    case allTrees
}

/// How one kind of database spells what only migrations say.
package struct MigrationDialect: Sendable {
    /// What people call the database.
    package var name: String
    /// How it spells everything else.
    package var dialect: SQLDialect
    /// Whether a table is changed by making another in its place.
    package var rebuildsTables: Bool
    /// How a transaction is begun and ended in which tables change, as people read it.
    package var frame: MigrationPlan.Frame
    /// How many columns a table can have.
    package var mostColumns: Int
    /// How many columns an index can have.
    package var mostIndexColumns: Int
    /// Asks for the names that no table can be given any more.
    package var takenNames: SQLFragment
    /// Lets a transaction that is open wait for the program as long as that takes; nil where it does so anyway.
    package var waiting: String?
    /// The moment of the statement.
    package var moment: SQLFragment
    /// A UUID, another one for each row.
    package var newUUID: SQLFragment
    /// Spells a value of one type as one of a wider type.
    package var widened: @Sendable (SQLFragment, SQLType, SQLType) -> SQLFragment
    /// Spells how many bytes a text, data or JSON has.
    package var byteCount: @Sendable (SQLFragment, SQLType) -> SQLFragment
    /// Spells the statements by which an inheritance tree gives out its own keys, behind those of an older one.
    package var keySpace: @Sendable (_ number: Int, _ older: KeySpaceOrigin) -> [SQLFragment]

    package init(
        name: String, dialect: SQLDialect, rebuildsTables: Bool, frame: MigrationPlan.Frame, mostColumns: Int,
        mostIndexColumns: Int, takenNames: SQLFragment,
        waiting: String? = nil, moment: SQLFragment, newUUID: SQLFragment,
        widened: @escaping @Sendable (SQLFragment, SQLType, SQLType) -> SQLFragment,
        byteCount: @escaping @Sendable (SQLFragment, SQLType) -> SQLFragment,
        keySpace: @escaping @Sendable (Int, KeySpaceOrigin) -> [SQLFragment]
    ) {
        self.name = name
        self.dialect = dialect
        self.rebuildsTables = rebuildsTables
        self.frame = frame
        self.mostColumns = mostColumns
        self.mostIndexColumns = mostIndexColumns
        self.takenNames = takenNames
        self.waiting = waiting
        self.moment = moment
        self.newUUID = newUUID
        self.widened = widened
        self.byteCount = byteCount
        self.keySpace = keySpace
    }

    /// A fragment without values as the database takes it.
    func text(_ fragment: SQLFragment) -> String { SQLText(fragment, dialect).sql }
}
