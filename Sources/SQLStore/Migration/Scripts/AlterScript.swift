/// Alters tables in place, for databases with transactional ALTER TABLE.
struct AlterScript {
    let changes: [TableChange]
    /// The tables that are dropped.
    let droppedTables: [TableSchema]
    let migrationDialect: MigrationDialect
    /// Whether columns keep their defaults, with which older programs insert rows.
    var keepsDefaults = false
    /// Whether scans of all rows are deferred to later steps that don't block writers: building indexes and validating constraints.
    var defersScans = false
    /// Whether the transaction waits for all readers and blocks new ones until it commits.
    var isExclusive = true
    /// The columns whose defaults are dropped.
    var staleDefaults: [TableColumn] = []

    /// The user-defined objects.
    var userObjects: [UserObject] = []
    /// The references and links that the migration removes.
    var lostReferences = LostReferences()

    /// A column of a table.
    struct TableColumn {
        let table: String
        let column: String
    }

    private var schema: SchemaStatements { SchemaStatements(migrationDialect.dialect) }

    var statements: [String] {
        var statements = Self.lockStatements(locked, isExclusive: isExclusive)
        statements.append("SET CONSTRAINTS ALL IMMEDIATE")
        statements += changes.flatMap(\.statementsBefore)
        statements += changes.flatMap(droppedConstraints) + references(toShrinkingTables: droppedColumns)
        // Before the rows that they refer to are copied or deleted.
        statements += lostReferences.olderTableStatements
        for change in changes { statements += copyStatements(change) }
        statements += lostReferences.copiedLinkStatements(presentName)
        statements += changes.flatMap(mirrorStatements)
        statements += DeletedRows(changes).statements
        // Values computed from other tables read those tables unchanged.
        let alterations = changes.map(alterStatements)
        statements += alterations.flatMap(\.additions) + alterations.flatMap(\.rest)
        if !droppedTables.isEmpty {
            statements.append(
                "DROP TABLE \(droppedTables.map { "\(name: $0.name)" as SQLFragment }.joined())")
        }
        // Tables and indexes share a namespace, and may swap names.
        statements += setAsideIndexes + renamedTables + lostReferences.leftoverStatements
        for change in changes { statements += newReferences(change) }
        statements += renamedIndexes
        for change in changes { statements += earlyIndexes(change) }
        statements += staleDefaults.map {
            "ALTER TABLE \(name: $0.table) ALTER COLUMN \(name: $0.column) DROP DEFAULT"
        }
        let moves = changes.flatMap(\.statementsAfter).map(migrationDialect.text)
        return statements.map(migrationDialect.text) + DroppedUserObjects(self).recreatedObjects.map(\.sql)
            + moves
    }

    /// Returns the statements that lock tables exclusively, all of them before the first is changed.
    ///
    /// A reader sees the rows of its snapshot, but the current definition of a table, and together they would match neither model. Every
    /// transaction reads the table of models first, so its lock excludes them all.
    static func lockStatements(_ tables: [String], isExclusive: Bool) -> [SQLFragment] {
        var statements: [SQLFragment] = []
        if isExclusive {
            statements.append("LOCK TABLE \(name: StoreNames.models) IN ACCESS EXCLUSIVE MODE")
        }
        if !tables.isEmpty {
            let names = tables.map { "\(name: $0)" as SQLFragment }.joined()
            statements.append("LOCK TABLE \(names) IN ACCESS EXCLUSIVE MODE")
        }
        return statements
    }

    /// Returns the statements that block writes to tables and allow reads.
    static func blockingWrites(_ tables: [String]) -> [SQLFragment] {
        if tables.isEmpty { return [] }
        return ["LOCK TABLE \(tables.map { "\(name: $0)" as SQLFragment }.joined()) IN EXCLUSIVE MODE"]
    }

    /// The tables that other transactions can't use until the commit.
    var locked: [String] {
        let changed = changes.filter { change in
            change.isSuccessor
                && (isAltered(change) || staleDefaults.contains { $0.table == change.table.name })
        }
        let names = changed.compactMap(\.origin?.name) + droppedTables.map(\.name)
        var cleared: [String] = []
        for table in lostReferences.tables where !names.contains(table) && !cleared.contains(table) {
            cleared.append(table)
        }
        return names + cleared
    }

    /// Whether a table is altered, other than by deferred indexes.
    private func isAltered(_ change: TableChange) -> Bool {
        guard defersScans, change.needsNoRebuild, change.added.isEmpty, droppedIndexes(change).isEmpty else {
            return !change.isUnchanged
        }
        return newIndexes(change).contains(where: \.isUnique)
    }

    /// The tables that are rewritten.
    var rewritten: [String] {
        changes.filter { change in
            change.isSuccessor && change.writesRows
                || change.table.columns.contains { column in
                    switch change.sources[column.name] {
                    case .expression, .mirrored: change.isSuccessor
                    case .column, .constant, .nothing, nil: false
                    }
                }
        }.compactMap(\.origin?.name)
    }

    // MARK: Rows

    /// Returns the name that a newer table has until the older tables are dropped or renamed.
    private func presentName(_ newer: String) -> String {
        changes.first { $0.table.name == newer }.map(pendingName) ?? newer
    }

    private func pendingName(_ change: TableChange) -> String {
        if change.origin != nil, change.isSuccessor { return change.origin?.name ?? change.table.name }
        let olderTables = changes.compactMap(\.origin) + droppedTables
        let older = Set(olderTables.flatMap { [$0.name] + $0.indexes.map(\.name) })
        return older.contains(change.table.name)
            ? SchemaTransition.pending + change.table.name : change.table.name
    }

    private func copyStatements(_ change: TableChange) -> [SQLFragment] {
        let name = pendingName(change)
        let columns = change.table.columns.map { "\(name: $0.name)" as SQLFragment }.joined()
        var statements: [SQLFragment] = []
        if !change.isSuccessor {
            var table = change.table.withoutReferences
            table.name = name
            statements.append(schema.table(table))
            if let origin = change.origin {
                let values = change.table.columns.map { (change.sources[$0.name] ?? .nothing).fragment }
                    .joined()
                let filter: SQLFragment = change.condition.map { " WHERE \($0)" } ?? ""
                statements.append(
                    "INSERT INTO \(name: name) (\(columns)) SELECT \(values) FROM \(name: origin.name)\(filter)"
                )
            }
        }
        statements += change.additionalRows.map { "INSERT INTO \(name: name) (\(columns)) \($0.query)" }
        return statements
    }

    // MARK: Columns

    /// Returns the name that a new column has until the older columns are dropped.
    private func pendingName(_ column: ColumnSchema, _ origin: TableSchema) -> String {
        origin.columns.contains { $0.name == column.name }
            ? SchemaTransition.pending + column.name : column.name
    }

    /// Returns the statements that add columns with references from inverse objects, before those objects move.
    private func mirrorStatements(_ change: TableChange) -> [SQLFragment] {
        guard let origin = change.origin, change.isSuccessor else { return [] }
        return change.table.columns.flatMap { column -> [SQLFragment] in
            guard change.origin(of: column.name) == nil,
                case .mirrored(let value)? = change.sources[column.name]
            else { return [] }
            let name = pendingName(column, origin)
            let type = migrationDialect.dialect.columnType(column.type)
            return [
                "ALTER TABLE \(name: origin.name) ADD COLUMN \(name: name) \(type)",
                update(origin.name, name, value),
            ]
        }
    }

    /// Returns the statements that add columns and compute their values, and the statements that follow them.
    private func alterStatements(_ change: TableChange) -> (additions: [SQLFragment], rest: [SQLFragment]) {
        guard let origin = change.origin, change.isSuccessor else { return ([], []) }
        let table: SQLFragment = "ALTER TABLE \(name: origin.name)"
        var statements = droppedIndexes(change)
        var fresh: [(name: String, column: ColumnSchema)] = []
        var updates: [SQLFragment] = []
        for column in change.table.columns where change.origin(of: column.name) == nil {
            let name = pendingName(column, origin)
            fresh.append((name, column))
            let type = migrationDialect.dialect.columnType(column.type)
            switch change.sources[column.name] {
            case .constant(let value)?:
                // One statement adds the column without a rewrite; NOT NULL later would scan all rows.
                let rule: SQLFragment = column.isNullable ? "" : " NOT NULL"
                statements.append("\(table) ADD COLUMN \(name: name) \(type)\(rule) DEFAULT \(value)")
            case .expression(let value)?:
                statements.append("\(table) ADD COLUMN \(name: name) \(type)")
                updates.append(update(origin.name, name, value))
            case .mirrored?: break
            default:
                // A column without values has no rows to validate.
                let reference: SQLFragment = emptyReference(column, change).map { " \($0)" } ?? ""
                statements.append("\(table) ADD COLUMN \(name: name) \(type)\(reference)")
            }
        }
        let additions = statements + updates
        statements = []
        let kept = Set(change.table.columns.compactMap { change.origin(of: $0.name)?.name })
        for column in origin.columns where !kept.contains(column.name) {
            statements.append("\(table) DROP COLUMN \(name: column.name)")
        }
        var renames = fresh.filter { $0.name != $0.column.name }.map { ($0.name, $0.column.name) }
        for column in change.table.columns {
            if let older = change.origin(of: column.name)?.name, older != column.name {
                renames.append((older, column.name))
            }
        }
        statements += renameStatements(renames, table)
        for (_, column) in fresh {
            if case .constant? = change.sources[column.name] {
                if !keepsDefaults {
                    statements.append("\(table) ALTER COLUMN \(name: column.name) DROP DEFAULT")
                }
            } else if !column.isNullable {
                statements.append("\(table) ALTER COLUMN \(name: column.name) SET NOT NULL")
            }
        }
        return (additions, statements + nullabilityStatements(change, table) + primaryKey(change, origin))
    }

    /// Recreates the primary key of a join table whose two columns were swapped.
    private func primaryKey(_ change: TableChange, _ origin: TableSchema) -> [SQLFragment] {
        let key = change.table.primaryKey
        if key.map({ change.origin(of: $0)?.name ?? "" }) == origin.primaryKey { return [] }
        let columns = key.map { "\(name: $0)" as SQLFragment }.joined()
        return [
            """
            DO $do$ DECLARE found text; BEGIN FOR found IN SELECT c.conname FROM pg_constraint AS c \
            WHERE c.contype = 'p' AND c.conrelid = to_regclass(quote_ident(\(quoted: origin.name))) \
            LOOP EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', \(quoted: origin.name), found); END LOOP; END $do$
            """,
            "ALTER TABLE \(name: origin.name) ADD PRIMARY KEY (\(columns))",
        ]
    }

    /// Returns the statements that add or drop NOT NULL of existing columns.
    private func nullabilityStatements(_ change: TableChange, _ table: SQLFragment) -> [SQLFragment] {
        var statements: [SQLFragment] = []
        for (index, column) in change.table.columns.enumerated() where !column.isPrimaryKey {
            guard let older = change.origin(of: column.name), older.isNullable != column.isNullable else {
                continue
            }
            if column.isNullable {
                statements.append("\(table) ALTER COLUMN \(name: column.name) DROP NOT NULL")
            } else if defersScans {
                statements.append(
                    """
                    \(table) ADD CONSTRAINT \(name: Self.notNullCheckName(index)) \
                    CHECK (\(name: column.name) IS NOT NULL) NOT VALID
                    """)
            } else {
                statements.append("\(table) ALTER COLUMN \(name: column.name) SET NOT NULL")
            }
        }
        return statements
    }

    /// Returns the name of the CHECK constraint that excludes NULL until the column is NOT NULL.
    static func notNullCheckName(_ index: Int) -> String {
        "\(SchemaTransition.pending)required_\(index)"
    }

    /// Returns the REFERENCES clause of a new column without values, with the current name of the referenced table.
    private func emptyReference(_ column: ColumnSchema, _ change: TableChange) -> SQLFragment? {
        guard isEmptyReference(column, change), var reference = column.reference else { return nil }
        if let target = changes.first(where: { $0.table.name == reference.table }) {
            reference.table = pendingName(target)
        }
        return schema.reference(reference)
    }

    func isEmptyReference(_ column: ColumnSchema, _ change: TableChange) -> Bool {
        change.origin != nil && change.isSuccessor && change.sources[column.name] == .nothing
            && column.reference != nil
    }

    private func update(_ table: String, _ column: String, _ value: SQLFragment) -> SQLFragment {
        let (key, computed): (SQLFragment, String) = ("\(name: StoreNames.key)", StoreNames.computed)
        // A join table has no single key column; only positions are computed for it.
        let row: SQLFragment =
            changes.contains { $0.origin?.name == table && !$0.table.primaryKey.isEmpty } ? "ctid" : key
        return """
            UPDATE \(name: table) SET \(name: column) = \(name: computed).\(name: "value") \
            FROM (SELECT \(row) AS \(name: "row"), \(value) AS \(name: "value") FROM \(name: table)) AS \(name: computed) \
            WHERE \(name: table).\(row) = \(name: computed).\(name: "row")
            """
    }

    /// Renames columns; if names are swapped, all columns get temporary names first.
    private func renameStatements(_ renames: [(String, String)], _ table: SQLFragment) -> [SQLFragment] {
        let taken = Set(renames.map(\.0))
        if renames.allSatisfy({ !taken.contains($0.1) }) {
            return renames.map { "\(table) RENAME COLUMN \(name: $0.0) TO \(name: $0.1)" }
        }
        let steps = renames.enumerated().map { ($1.0, SchemaTransition.moved + "\($0)", $1.1) }
        return steps.map { "\(table) RENAME COLUMN \(name: $0.0) TO \(name: $0.1)" }
            + steps.map { "\(table) RENAME COLUMN \(name: $0.1) TO \(name: $0.2)" }
    }

    // MARK: Tables

    private var renamedTables: [SQLFragment] {
        let renames = changes.map { (pendingName($0), $0.table.name) }.filter { $0.0 != $0.1 }
        let taken = Set(renames.map(\.0))
        if renames.allSatisfy({ !taken.contains($0.1) }) {
            return renames.map { "ALTER TABLE \(name: $0.0) RENAME TO \(name: $0.1)" }
        }
        let steps = renames.enumerated().map { ($1.0, SchemaTransition.moved + "\($0)", $1.1) }
        return steps.map { "ALTER TABLE \(name: $0.0) RENAME TO \(name: $0.1)" }
            + steps.map { "ALTER TABLE \(name: $0.1) RENAME TO \(name: $0.2)" }
    }

    // MARK: Constraints and indexes

    /// Whether a foreign key stays as it is.
    func isKept(_ column: ColumnSchema, _ change: TableChange) -> Bool {
        guard change.isSuccessor, let older = change.origin(of: column.name)?.reference,
            let reference = column.reference, older.cascades == reference.cascades,
            older.clears == reference.clears
        else { return false }
        return changes.contains {
            $0.isSuccessor && $0.origin?.name == older.table && $0.table.name == reference.table
        }
    }

    /// Returns the statements that drop foreign keys of existing columns that change or are removed.
    private func droppedConstraints(_ change: TableChange) -> [SQLFragment] {
        guard let origin = change.origin, change.isSuccessor else { return [] }
        return change.table.columns.compactMap { column in
            guard let older = change.origin(of: column.name), let reference = older.reference,
                !isKept(column, change)
            else { return nil }
            return Self.alterForeignKeys(reference, of: older.name, in: origin.name, "DROP CONSTRAINT")
        }
    }

    /// The older columns that are dropped, alone or with their tables.
    private var droppedColumns: [(table: String, column: ColumnSchema)] {
        let columns = changes.filter(\.isSuccessor).flatMap { change in
            let kept = Set(change.table.columns.compactMap { change.origin(of: $0.name)?.name })
            return (change.origin?.columns ?? []).filter { !kept.contains($0.name) }.map {
                (change.origin?.name ?? "", $0)
            }
        }
        return columns + droppedTables.flatMap { table in table.columns.map { (table.name, $0) } }
    }

    /// Drops foreign keys to tables that lose rows, which would be checked on deletion.
    private func references(toShrinkingTables columns: [(table: String, column: ColumnSchema)])
        -> [SQLFragment]
    {
        let shrunk = Set(
            changes.filter { $0.isSuccessor && $0.keptEntityNumbers != nil }.compactMap(\.origin?.name))
        return columns.compactMap { table, column in
            guard let reference = column.reference, shrunk.contains(reference.table) else { return nil }
            return Self.alterForeignKeys(reference, of: column.name, in: table, "DROP CONSTRAINT")
        }
    }

    /// Applies an ALTER TABLE action to a foreign key of the store.
    ///
    /// The server chose the constraint's name, which doesn't change with the column's. So the constraint is found by its column, by
    /// what it references, and by being deferred, which user-defined constraints are not by default.
    ///
    /// - Parameter isLeft: Whether the action applies only to constraints that are not validated.
    static func alterForeignKeys(
        _ reference: ColumnSchema.Reference, of column: String, in table: String, _ verb: SQLFragment,
        notValidated: Bool = false
    ) -> SQLFragment {
        let filter: SQLFragment = notValidated ? "AND NOT c.convalidated " : ""
        return """
            DO $do$ DECLARE found text; BEGIN FOR found IN SELECT c.conname FROM pg_constraint AS c \
            JOIN pg_attribute AS a ON a.attrelid = c.conrelid AND c.conkey = ARRAY[a.attnum] \
            JOIN pg_attribute AS t ON t.attrelid = c.confrelid AND c.confkey = ARRAY[t.attnum] \
            WHERE c.contype = 'f' AND c.condeferred \(filter)\
            AND c.conrelid = to_regclass(quote_ident(\(quoted: table))) AND a.attname = \(quoted: column) \
            AND c.confrelid = to_regclass(quote_ident(\(quoted: reference.table))) AND t.attname = \(quoted: reference.column) \
            LOOP EXECUTE format('ALTER TABLE %I \(verb) %I', \(quoted: table), found); END LOOP; END $do$
            """
    }

    /// Returns the older index that equals a newer one, except for its name.
    private func older(_ index: IndexSchema, _ change: TableChange) -> IndexSchema? {
        guard change.isSuccessor else { return nil }
        var wanted = index
        wanted.columns = index.columns.map { column in
            IndexSchema.Column(change.origin(of: column.name)?.name ?? "", isDescending: column.isDescending)
        }
        // The predicate in the database uses the older names of the columns.
        if let predicate = index.predicate {
            wanted.predicate = predicate.renamingColumns { change.origin(of: $0)?.name ?? "" }
        }
        return change.origin?.indexes.first { older in
            wanted.name = older.name
            return wanted == older
        }
    }

    func newIndexes(_ change: TableChange) -> [IndexSchema] {
        change.earlyIndexes.filter { older($0, change) == nil }
    }

    private func droppedIndexes(_ change: TableChange) -> [SQLFragment] {
        let kept = Set(change.table.indexes.compactMap { older($0, change)?.name })
        return (change.origin?.indexes ?? []).filter { !kept.contains($0.name) }.map {
            "DROP INDEX IF EXISTS \(name: $0.name)"
        }
    }

    private func newReferences(_ change: TableChange) -> [SQLFragment] {
        let table = change.table
        var statements: [SQLFragment] = []
        for column in table.columns where !isKept(column, change) && !isEmptyReference(column, change) {
            guard let reference = column.reference else { continue }
            // Existing rows are validated in a later step.
            let notValidated: SQLFragment = defersScans && change.origin != nil ? " NOT VALID" : ""
            statements.append(
                """
                ALTER TABLE \(name: table.name) ADD FOREIGN KEY (\(name: column.name)) \
                \(schema.reference(reference))\(notValidated)
                """)
        }
        return statements
    }

    /// The indexes that are renamed: the older name, a temporary name, and the newer name.
    private var renames: [(older: String, pending: String, newer: String)] {
        let renamed = changes.flatMap { change in
            change.table.indexes.compactMap { index in older(index, change).map { ($0.name, index.name) } }
        }.filter { $0.0 != $0.1 }
        return renamed.enumerated().map { ($1.0, "\(SchemaTransition.moved)index_\($0)", $1.1) }
    }

    private var setAsideIndexes: [SQLFragment] {
        renames.map { "ALTER INDEX \(name: $0.older) RENAME TO \(name: $0.pending)" }
    }

    private var renamedIndexes: [SQLFragment] {
        renames.map { "ALTER INDEX \(name: $0.pending) RENAME TO \(name: $0.newer)" }
    }

    private func earlyIndexes(_ change: TableChange) -> [SQLFragment] {
        let fresh = newIndexes(change).filter { !defersScans || $0.isUnique || change.origin == nil }
        return fresh.map { schema.index($0, of: change.table.name) }
    }
}

/// Deletes the rows of entities that are removed or move to other tables.
private struct DeletedRows {
    let changes: [TableChange]

    init(_ changes: [TableChange]) { self.changes = changes }

    var statements: [SQLFragment] {
        changes.filter { $0.isSuccessor && $0.keptEntityNumbers != nil }.flatMap { change -> [SQLFragment] in
            guard let origin = change.origin, let condition = change.condition else { return [] }
            return ["DELETE FROM \(name: origin.name) WHERE NOT (\(condition))"]
        }
    }
}
