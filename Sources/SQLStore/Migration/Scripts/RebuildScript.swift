import ContextCore

/// Changes tables by rebuilding them, for databases with a limited ALTER TABLE.
///
/// The script creates and fills all new tables, drops the older ones, and renames the new ones. So tables may even swap their names.
/// Foreign keys must be disabled before the transaction begins.
struct RebuildScript {
    let changes: [TableChange]
    /// The tables that are dropped.
    let droppedTables: [TableSchema]
    let migrationDialect: MigrationDialect
    /// The references and links that the migration removes.
    var lostReferences = LostReferences()

    /// The tables that are rebuilt.
    var rebuilt: [TableChange] { changes.filter { $0.origin != nil && !$0.needsNoRebuild } }

    /// The older names of the rebuilt tables.
    var locked: [String] {
        var names: [String] = []
        for case let name? in rebuilt.map(\.origin?.name) where !names.contains(name) { names.append(name) }
        return names
    }

    /// The newer names of the rewritten tables.
    var rewritten: [String] {
        changes.filter { $0.origin != nil && (!$0.needsNoRebuild || $0.writesRows) }.map(\.table.name)
    }

    var statements: [String] {
        let made = changes.filter { $0.origin == nil || !$0.needsNoRebuild }
        var text: [String] = []
        for change in changes { text += change.statementsBefore.map(migrationDialect.text) }
        // Tables and other indexes may take over the names of indexes.
        let simple = changes.filter(\.needsNoRebuild)
        for change in simple { text += indexDropStatements(of: change) }
        for change in made { text += creationStatements(of: change) }
        for change in simple { text += additionStatements(to: change) }
        text += lostReferences.newerTableStatements(presentName).map(migrationDialect.text)
        let dropped = rebuilt.filter(\.isSuccessor).compactMap(\.origin?.name) + droppedTables.map(\.name)
        text += dropped.map { migrationDialect.text("DROP TABLE \(name: $0)") }
        text += made.map {
            migrationDialect.text(
                "ALTER TABLE \(name: SchemaTransition.pending + $0.table.name) RENAME TO \(name: $0.table.name)"
            )
        }
        for change in changes { text += indexCreationStatements(of: change) }
        text += lostReferences.leftoverStatements.map(migrationDialect.text)
        for change in changes { text += change.statementsAfter.map(migrationDialect.text) }
        return text
    }

    /// The effects on existing tables; SQLite has no table locks, and the transaction excludes other writers.
    var effects: [TableEffect] {
        var effects = EffectCollector()
        for change in changes {
            for rows in change.additionalRows { effects.record(rows.table, nil, .read) }
            guard let origin = change.origin, !change.isUnchanged else { continue }
            if !change.isSuccessor {
                effects.record(origin.name, nil, .read)
            } else if change.needsNoRebuild {
                let isIndexed = change.earlyIndexes.contains { !origin.indexes.contains($0) }
                let work: TableEffect.Work = isIndexed ? .indexed : .none
                effects.record(origin.name, nil, change.writesRows ? .rewritten : work)
            } else {
                effects.record(origin.name, nil, .rewritten)
            }
        }
        for table in lostReferences.tables { effects.record(table, nil, .deleted) }
        for table in droppedTables { effects.record(table.name, nil, .dropped) }
        return effects.list
    }

    /// Returns the user-defined objects to drop and recreate.
    func recreatedObjects(_ userObjects: [UserObject]) -> MigrationStep.UserObjects? {
        UserObjectPlanning(userObjects, migrationDialect).recreatedObjects(
            rebuilt: rebuilt.compactMap(\.origin?.name), droppedTables: droppedTables.map(\.name))
    }

    /// Returns the name of a newer table while the older tables exist.
    private func presentName(_ newer: String) -> String {
        let isMade = changes.contains { $0.table.name == newer && ($0.origin == nil || !$0.needsNoRebuild) }
        return isMade ? SchemaTransition.pending + newer : newer
    }

    private func creationStatements(of change: TableChange) -> [String] {
        let pending = SchemaTransition.pending + change.table.name
        var table = change.table
        table.name = pending
        var statements = [SchemaStatements(migrationDialect.dialect).table(table)]
        let columns = change.table.columns.map { "\(name: $0.name)" as SQLFragment }.joined()
        if let origin = change.origin {
            let values = change.table.columns.map { (change.sources[$0.name] ?? .nothing).fragment }.joined()
            let filter: SQLFragment = change.condition.map { " WHERE \($0)" } ?? ""
            statements.append(
                "INSERT INTO \(name: pending) (\(columns)) SELECT \(values) FROM \(name: origin.name)\(filter)"
            )
        }
        statements += change.additionalRows.map { "INSERT INTO \(name: pending) (\(columns)) \($0.query)" }
        return statements.map(migrationDialect.text)
    }

    private func additionStatements(to change: TableChange) -> [String] {
        guard let origin = change.origin else { return [] }
        let schema = SchemaStatements(migrationDialect.dialect)
        return change.added.map { column in
            migrationDialect.text(
                "ALTER TABLE \(name: origin.name) ADD COLUMN \(schema.column(column, change.sources[column.name]))"
            )
        }
    }

    private func indexDropStatements(of change: TableChange) -> [String] {
        let outdated = (change.origin?.indexes ?? []).filter { !change.table.indexes.contains($0) }
        return outdated.map { migrationDialect.text("DROP INDEX IF EXISTS \(name: $0.name)") }
    }

    /// Creates the indexes that a table doesn't have yet, which are all indexes of a new table.
    private func indexCreationStatements(of change: TableChange) -> [String] {
        let present = change.needsNoRebuild ? change.origin?.indexes ?? [] : []
        let schema = SchemaStatements(migrationDialect.dialect)
        return change.earlyIndexes.filter { !present.contains($0) }.map {
            migrationDialect.text(schema.index($0, of: change.table.name))
        }
    }
}
