import ContextCore

extension AlterScript {
    /// Returns the steps for the deferred work, which can be repeated after the process was killed in one of them.
    func laterSteps(_ phase: MigrationPhase) -> [MigrationStep] {
        guard defersScans else { return [] }
        let concurrent = changes.filter { $0.origin != nil }.flatMap { change in
            indexSteps(change, phase) + referenceSteps(change, phase)
                + notNullCheckSteps(change, phase)
        }
        return concurrent + notNullSteps(phase)
    }

    private func indexSteps(_ change: TableChange, _ phase: MigrationPhase) -> [MigrationStep] {
        newIndexes(change).filter { !$0.isUnique }.map { index in
            let schema = SchemaStatements(migrationDialect.dialect)
            // A killed run leaves an invalid index.
            let statements: [SQLFragment] = [
                "DROP INDEX CONCURRENTLY IF EXISTS \(name: index.name)",
                schema.index(index, of: change.table.name, isConcurrent: true),
            ]
            return MigrationStep(
                phase, "The index \(index.name) is built concurrently.",
                .separately(statements.map(migrationDialect.text)),
                effects: concurrentEffects(change, .indexed))
        }
    }

    private func referenceSteps(_ change: TableChange, _ phase: MigrationPhase) -> [MigrationStep] {
        let table = change.table.name
        let statements = change.table.columns.compactMap { column -> SQLFragment? in
            guard let reference = column.reference, !isKept(column, change), !isEmptyReference(column, change)
            else { return nil }
            return Self.alterForeignKeys(
                reference, of: column.name, in: table, "VALIDATE CONSTRAINT", notValidated: true)
        }
        if statements.isEmpty { return [] }
        return [
            MigrationStep(
                phase, "The foreign keys of \(table) are validated without blocking other transactions.",
                .separately(statements.map(migrationDialect.text)), effects: concurrentEffects(change, .read))
        ]
    }

    /// Returns the effects of scanning a table while other transactions continue.
    private func concurrentEffects(_ change: TableChange, _ work: TableEffect.Work) -> [TableEffect] {
        var effects = EffectCollector()
        effects.record(change.table.name, .shareUpdateExclusive, work)
        return effects.list
    }

    /// Returns the NOT NULL check constraints that are not validated yet, with their columns.
    private func unvalidatedNotNullChecks(_ change: TableChange) -> [(name: String, column: String)] {
        guard change.isSuccessor else { return [] }
        return change.table.columns.enumerated().compactMap { index, column in
            guard !column.isPrimaryKey, !column.isNullable, change.origin(of: column.name)?.isNullable == true
            else { return nil }
            return (Self.notNullCheckName(index), column.name)
        }
    }

    private func notNullCheckSteps(_ change: TableChange, _ phase: MigrationPhase) -> [MigrationStep] {
        let checks = unvalidatedNotNullChecks(change)
        guard !checks.isEmpty else { return [] }
        let table = change.table.name
        let columns = checks.map(\.column).joined(separator: ", ")
        return [
            MigrationStep(
                phase, "NOT NULL of \(columns) in \(table) is validated without blocking other transactions.",
                .separately(
                    checks.map {
                        migrationDialect.text(
                            "ALTER TABLE \(name: table) VALIDATE CONSTRAINT \(name: $0.name)")
                    }), effects: concurrentEffects(change, .read))
        ]
    }

    /// Returns the step that makes columns NOT NULL, for which the server relies on the validated CHECK constraint.
    private func notNullSteps(_ phase: MigrationPhase) -> [MigrationStep] {
        let checked = changes.filter { $0.origin != nil && !unvalidatedNotNullChecks($0).isEmpty }
        guard !checked.isEmpty else { return [] }
        let names = checked.map(\.table.name)
        var statements = Self.lockStatements(names, isExclusive: false)
        for change in checked {
            let table: SQLFragment = "ALTER TABLE \(name: change.table.name)"
            for check in unvalidatedNotNullChecks(change) {
                statements.append("\(table) ALTER COLUMN \(name: check.column) SET NOT NULL")
                statements.append("\(table) DROP CONSTRAINT \(name: check.name)")
            }
        }
        var effects = EffectCollector()
        for name in names { effects.record(name, .accessExclusive) }
        return [
            MigrationStep(
                phase, "Columns of \(names.joined(separator: ", ")) become NOT NULL.",
                .statements(statements.map(migrationDialect.text)), locks: names, effects: effects.list)
        ]
    }
}
