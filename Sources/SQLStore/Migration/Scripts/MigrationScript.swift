package import ContextCore

/// Plans the steps from one version of a store's model to the next.
package struct MigrationScript {
    private let transition: ModelTransition
    private let migrationDialect: MigrationDialect
    private let userObjects: [UserObject]
    private let existingNames: Set<String>
    private let numbering: EntityNumbering
    private let schema: SchemaTransition
    private let changes: [TableChange]
    private let droppedTables: [TableSchema]

    /// - Parameters:
    ///   - storeNumbers: The entity numbers in the store, including those of removed entities.
    ///   - userObjects: The user-defined objects.
    ///   - existingNames: The names of user-defined objects that new tables can't have.
    /// - Throws: `StoreError.Code.migrationRefused` if the migration is impossible.
    package init(
        _ transition: ModelTransition, _ migrationDialect: MigrationDialect, storeNumbers: [String: Int],
        userObjects: [UserObject] = [], existingNames: Set<String> = []
    ) throws(StoreError) {
        self.transition = transition
        self.migrationDialect = migrationDialect
        self.userObjects = userObjects
        self.existingNames = existingNames
        numbering = EntityNumbering(transition, storeNumbers: storeNumbers)
        schema = try SchemaTransition(
            transition, migrationDialect, oldNumbers: storeNumbers, newNumbers: numbering.numbers)
        changes = try schema.changes()
        droppedTables = schema.droppedTables(changes)
        if migrationDialect.rebuildsTables {
            try UserObjectPlanning(userObjects, migrationDialect).check(
                changes, droppedTables: droppedTables.map(\.name))
        }
        try BackfillCheck(transition, schema).check(fills)
        if let object = conflictingIndex {
            throw StoreError(
                .migrationRefused,
                "The migration creates an index with the name of the user-defined \(object.summary).",
                remedy: "Rename or drop the user-defined index. Nothing was changed.")
        }
        if let name = conflictingTableName {
            throw StoreError(
                .migrationRefused,
                "The migration creates the table \(name), but a user-defined object has that name.",
                remedy: "Rename or drop the user-defined object. Nothing was changed.")
        }
    }

    /// The name of a new table that a user-defined object already has.
    private var conflictingTableName: String? {
        // SQLite compares names without case.
        func plain(_ name: String) -> String { migrationDialect.rebuildsTables ? name.lowercased() : name }
        let known = Set(schema.oldTables.keys.map(plain))
        let existingNames = Set(existingNames.map(plain)).subtracting(known)
        return changes.map(\.table.name).first { existingNames.contains(plain($0)) }
    }

    /// A user-defined index with the name of a new index.
    private var conflictingIndex: UserObject? {
        let known = Set(changes.flatMap { $0.origin?.indexes ?? [] }.map(\.name))
        let fresh = Set(changes.flatMap(\.table.indexes).map(\.name)).subtracting(known)
        return userObjects.first { $0.kind == .index && fresh.contains($0.name) }
    }

    /// The entity numbers in the store after the migration.
    package var storeNumbers: [String: Int] { numbering.storeNumbers }

    /// The user-defined objects that exist after the migration.
    private var remaining: [UserObject] {
        UserObjectPlanning(userObjects, migrationDialect).remaining(droppedTables: droppedTables.map(\.name))
    }

    /// The steps, in their order.
    package var steps: [MigrationStep] {
        guard let expandContractScript else { return fullMigrationSteps }
        var steps = expandContractScript.steps
        if !steps.isEmpty { steps[0].checks += rendered(changes.flatMap(\.indexChecks)) }
        return steps
    }

    /// The step that rolls the migration back before the last phase.
    package var undo: MigrationStep {
        if let expandContractScript { return expandContractScript.undo }
        let statements = backfilledColumns.map {
            migrationDialect.text("ALTER TABLE \(name: $0.table) DROP COLUMN \(name: $0.column.name)")
        }
        return MigrationStep(
            .expand, "The backfilled columns are dropped.",
            .statements(statements + droppedLinks))
    }

    /// Plans several transitions of a store.
    package static func plan(
        _ transitions: [ModelTransition], _ migrationDialect: MigrationDialect, storeNumbers: [String: Int],
        userObjects: [UserObject] = [], existingNames: Set<String> = []
    ) throws(StoreError) -> MigrationPlan {
        var (storeNumbers, userObjects) = (storeNumbers, userObjects)
        var segments: [MigrationPlan.Segment] = []
        var present: [String: String]?
        for transition in transitions {
            let script = try MigrationScript(
                transition, migrationDialect, storeNumbers: storeNumbers, userObjects: userObjects,
                existingNames: existingNames)
            let tables = script.currentTableNames(present)
            segments.append(
                .init(
                    transition: transition, steps: script.steps, undo: script.undo,
                    currentTableNames: tables.before))
            storeNumbers = script.storeNumbers
            userObjects = script.remaining
            present = tables.after
        }
        return MigrationPlan(
            backend: migrationDialect.name, frame: migrationDialect.frame, segments: segments)
    }

    /// Maps the tables' names before and after this transition to their names in the store now.
    ///
    /// - Parameter known: The map for the names before the transition; nil if these are the names in the store now.
    private func currentTableNames(
        _ known: [String: String]?
    ) -> (before: [String: String], after: [String: String]) {
        let origins = changes.compactMap { $0.origin?.name } + droppedTables.map(\.name)
        var before: [String: String] = [:]
        for name in origins { before[name] = known == nil ? name : known?[name] }
        var after: [String: String] = [:]
        for change in changes where change.isSuccessor {
            guard let origin = change.origin?.name else { continue }
            after[change.table.name] = before[origin]
        }
        // A name that different tables have before and after is ambiguous.
        var names = before
        for (name, table) in after { names[name] = (before[name] ?? table) == table ? table : nil }
        return (names, after)
    }

    /// Plans several transitions of a store that was created with the first version.
    package static func offlinePlan(
        _ transitions: [ModelTransition], _ migrationDialect: MigrationDialect
    ) throws(StoreError) -> MigrationPlan {
        let first = transitions.first?.from.model ?? .empty
        let numbers = Dictionary(first.layouts.map { ($0.name, $0.index + 1) }) { first, _ in first }
        return try plan(transitions, migrationDialect, storeNumbers: numbers)
    }

    // MARK: Expand and contract

    private var expandContractScript: ExpandContractScript? {
        // Leftover values in columns of a shared table are removed while no program can write there.
        guard schema.lostReferences.leftovers.isEmpty else { return nil }
        return ExpandContractScript(
            transition, changes, droppedTables, migrationDialect, userObjects: userObjects,
            metadataStatements: metadataStatements)
    }

    // MARK: Migrating at once

    private var fullMigrationSteps: [MigrationStep] {
        let fills = self.fills
        var steps: [MigrationStep] = []
        if !fills.isEmpty {
            steps.append(
                MigrationStep(
                    .expand, "Columns are added for the backfill.", .statements(columnAdditions),
                    checks: checks.filter { !readsBackfilledValues($0) },
                    force: schema.allowsWritesDuringBackfill ? .unchanged : .none,
                    locks: migrationDialect.rebuildsTables ? [] : backfilledTables,
                    effects: columnAdditionEffects))
            steps += fills
        }
        let derived = derivations
        let (work, later) = tableChangeWork
        steps.append(
            MigrationStep(
                .contract, sentence, .statements(work.statements + droppedLinks + metadataStatements),
                checks: checks,
                force: derived.isEmpty ? .newer : .none, locks: work.locks, rewrites: work.rewrites,
                bystanders: work.recreatedObjects, foreignLosses: work.userObjectLosses,
                lateStatements: lateIndexes.isEmpty ? nil : lateIndexes, effects: work.effects))
        if !derived.isEmpty {
            steps += derived
            steps.append(
                MigrationStep(.contract, "The newer model is put in force.", .statements([]), force: .newer))
        }
        return steps + later
    }

    /// The indexes of derived columns, which have the same placeholder in all rows at first.
    private var lateIndexes: [String] {
        let schema = SchemaStatements(migrationDialect.dialect)
        return changes.flatMap { change in
            change.lateIndexes.map { migrationDialect.text(schema.index($0, of: change.table.name)) }
        }
    }

    private var checks: [MigrationStep.Check] {
        rendered(changes.flatMap { $0.checks + $0.indexChecks })
    }

    private func rendered(_ checks: [RowCheck]) -> [MigrationStep.Check] {
        checks.map {
            .init(
                count: migrationDialect.text($0.count), sentence: $0.sentence, rule: $0.rule?.id,
                subject: $0.rule?.subject)
        }
    }

    /// Whether a check reads backfilled values, and so must run after the backfill.
    private func readsBackfilledValues(_ check: MigrationStep.Check) -> Bool {
        let names = backfilledColumns.map(\.column.name) + schema.pendingLinks.map(\.table)
        return names.contains { check.count.contains(migrationDialect.text("\(name: $0)")) }
    }

    private struct Work {
        var statements: [String]
        var locks: [String]
        var rewrites: [String]
        var recreatedObjects: MigrationStep.UserObjects?
        var userObjectLosses: [String] = []
        var effects: [TableEffect]
    }

    private var tableChangeWork: (Work, later: [MigrationStep]) {
        if migrationDialect.rebuildsTables {
            let script = RebuildScript(
                changes: changes, droppedTables: droppedTables, migrationDialect: migrationDialect,
                lostReferences: schema.lostReferences)
            return (
                Work(
                    statements: script.statements, locks: script.locked, rewrites: script.rewritten,
                    recreatedObjects: script.recreatedObjects(userObjects), effects: script.effects), []
            )
        }
        let script = AlterScript(
            changes: changes, droppedTables: droppedTables, migrationDialect: migrationDialect,
            defersScans: true,
            userObjects: userObjects,
            lostReferences: schema.lostReferences)
        return (
            Work(
                statements: script.statements, locks: script.locked, rewrites: script.rewritten,
                userObjectLosses: DroppedUserObjects(script).lostObjects.map(\.summary),
                effects: script.effects),
            script.laterSteps(.contract)
        )
    }

    private var sentence: String {
        let created = changes.filter { $0.origin == nil }.map(\.table.name)
        let changed = changes.filter { $0.origin != nil && !$0.isUnchanged }.map(\.table.name)
        var parts: [String] = []
        if !created.isEmpty { parts.append("created: \(created.joined(separator: ", "))") }
        if !changed.isEmpty { parts.append("changed: \(changed.joined(separator: ", "))") }
        if !droppedTables.isEmpty {
            parts.append("dropped: \(droppedTables.map(\.name).joined(separator: ", "))")
        }
        return parts.isEmpty
            ? "No table changes; the store records the newer model."
            : "Tables are \(parts.joined(separator: "; "))."
    }

    /// The statements that store entity numbers and key sequences.
    private var metadataStatements: [String] {
        var statements = numbering.statements
        for change in changes {
            guard let root = schema.new.roots.first(where: { $0.table == change.table.name }) else {
                continue
            }
            let older = change.origin.flatMap { origin in schema.old.roots.first { $0.table == origin.name } }
            if older?.number != root.number {
                statements += migrationDialect.keySequenceStatements(
                    root.number, older.map { .tree($0.number) } ?? .nothing)
            }
            let family = root.layout.familyIndices.map { schema.new.entities[$0].layout.name }
            if !numbering.reintroduced.isDisjoint(with: family) {
                statements += migrationDialect.keySequenceStatements(root.number, .allTrees)
            }
        }
        return statements.map(migrationDialect.text)
    }

    // MARK: Backfills

    /// The columns that conversions and stages backfill in the older tables.
    private var backfilledColumns: [(table: String, column: ColumnSchema)] {
        var known: Set<[String]> = []
        return changes.flatMap { change -> [(table: String, column: ColumnSchema)] in
            let table = change.origin?.name ?? ""
            // Several newer tables may come from one older table.
            return (change.origin?.columns ?? []).filter {
                $0.name.hasPrefix(SchemaTransition.pending) && known.insert([table, $0.name]).inserted
            }.map { (table, $0) }
        }
    }

    private var backfilledTables: [String] {
        Set(backfilledColumns.map(\.table)).sorted { $0.precedesByBytes($1) }
    }

    private var columnAdditions: [String] {
        let lockStatements =
            migrationDialect.rebuildsTables
            ? []
            : AlterScript.lockStatements(backfilledTables, isExclusive: !schema.allowsWritesDuringBackfill)
        let added = backfilledColumns.map { table, column in
            "ALTER TABLE \(name: table) ADD COLUMN \(name: column.name) \(migrationDialect.dialect.columnType(column.type))"
                as SQLFragment
        }
        let links = schema.pendingLinks.flatMap {
            SchemaStatements(migrationDialect.dialect).creation(of: $0.schema)
        }
        return (lockStatements + added).map(migrationDialect.text) + links.map(\.sql)
    }

    /// The statements that drop the temporary tables of relationships that stages fill.
    private var droppedLinks: [String] {
        schema.pendingLinks.map { migrationDialect.text("DROP TABLE \(name: $0.table)") }
    }

    private var columnAdditionEffects: [TableEffect] {
        var effects = EffectCollector()
        let lock: TableLock? = migrationDialect.rebuildsTables ? nil : .accessExclusive
        if lock != nil, !schema.allowsWritesDuringBackfill {
            effects.record(StoreNames.models, lock, .closed)
        }
        for table in backfilledTables { effects.record(table, lock) }
        return effects.list
    }

    /// Returns the effects of backfilling rows of an entity.
    private func fillingEffects(_ entityName: String, isDerived: Bool = false) -> [TableEffect] {
        guard let layout = schema.new.model.layout(named: entityName) else { return [] }
        var effects = EffectCollector()
        effects.record(
            schema.filledTable(of: schema.new.entities[layout.index], isDerived: isDerived),
            migrationDialect.rebuildsTables ? nil : .rowExclusive, .filled)
        return effects.list
    }

    private var fills: [MigrationStep] {
        let conversions = Dictionary(
            grouping: transition.to.hints.conversions.sortedByPath, by: { ModelPart($0.key).entity })
        var steps: [MigrationStep] = []
        for (entityName, members) in conversions.sorted(by: { $0.key.precedesByBytes($1.key) })
        where hasOlderRows(entityName) {
            let texts = Dictionary(members.map { (ModelPart($0.key).property ?? "", $0.value) }) { first, _ in
                first
            }
            let names = texts.keys.sorted { $0.precedesByBytes($1) }.joined(separator: ", ")
            steps.append(
                MigrationStep(
                    .backfill, "\(entityName): \(names) from conversions.",
                    .fill(
                        addingStatements(
                            to: .init(
                                entityName: entityName, conversions: texts,
                                isLive: schema.allowsWritesDuringBackfill))),
                    effects: fillingEffects(entityName)))
        }
        for stage in transition.to.stages where hasOlderRows(stage.entityName) {
            steps.append(
                MigrationStep(
                    .backfill,
                    "\(stage.entityName): \(stage.properties.joined(separator: ", ")) from the program's stage.",
                    .fill(
                        addingStatements(
                            to: .init(
                                entityName: stage.entityName, stage: stage.properties,
                                batchSize: stage.batchSize))), effects: fillingEffects(stage.entityName)))
        }
        return steps
    }

    /// Returns a backfill with its statements, which it omits if an expression is invalid; other checks report that.
    private func addingStatements(to fill: MigrationStep.Fill) -> MigrationStep.Fill {
        var fill = fill
        fill.statements =
            fill.stage.isEmpty
            ? try? RowBackfill(fill, schema).texts() : try? StageBackfill(fill, schema).texts()
        return fill
    }

    /// Whether an entity or one of its subentities has older rows.
    private func hasOlderRows(_ entityName: String) -> Bool {
        schema.new.model.layout(named: entityName).map(schema.hasOlderRows) ?? false
    }

    /// The steps that derive attributes of which older rows have no value.
    private var derivations: [MigrationStep] {
        transition.to.model.layouts.compactMap { layout in
            let fresh = layout.description.attributes.filter { attribute in
                guard case .derived = attribute.storage else { return false }
                return !schema.isSameDerivation(attribute, of: layout)
            }.map(\.name)
            guard !fresh.isEmpty, hasOlderRows(layout.name) else { return nil }
            return MigrationStep(
                .backfill, "\(layout.name): \(fresh.joined(separator: ", ")), derived by the store.",
                .fill(addingStatements(to: .init(entityName: layout.name, derived: fresh))),
                effects: fillingEffects(layout.name, isDerived: true))
        }
    }
}

extension SchemaTransition {
    /// Returns the table whose rows are backfilled: the newer table for derived attributes.
    func filledTable(of entity: EntityMapping, isDerived: Bool) -> String {
        isDerived ? entity.table : commonOrigin(of: entity) ?? entity.table
    }

    /// Whether relationships lose members because entities are removed or move.
    private var losesMembers: Bool {
        !lostReferences.isEmpty
            || old.model.layouts.contains {
                matching.successor(of: $0, in: new.model) == nil && !$0.isAbstract
            }
    }

    /// Whether an attribute was derived in the same way before, from values that the migration doesn't fill.
    func isSameDerivation(_ attribute: AttributeDescription, of layout: EntityLayout) -> Bool {
        if dependsOnBackfill(layout) { return false }
        if case .derived(let derivation) = attribute.storage, losesMembers, derivation.readsRelationships {
            return false
        }
        let older = layout.familyIndices.compactMap { origin(of: new.entities[$0]) }.compactMap {
            matching.property(attribute.name, of: layout, from: $0.layout, in: old.model)?.attribute
        }
        return !older.isEmpty
            && older.allSatisfy { $0.storage == attribute.storage && $0.type == attribute.type }
    }
}

extension [String: String] {
    fileprivate var sortedByPath: [(key: String, value: String)] { sorted { $0.key.precedesByBytes($1.key) } }
}
