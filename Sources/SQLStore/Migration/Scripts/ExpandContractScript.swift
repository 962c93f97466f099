import ContextCore

/// Plans a migration in two phases, expand and contract, between which programs of both versions can use the store.
///
/// Rows inserted by an older program must be valid without the new parts, and rows inserted by a newer program without the removed
/// parts.
struct ExpandContractScript {
    private let expanded: [TableChange]
    private let contracted: [TableChange]
    private let migrationDialect: MigrationDialect
    private let userObjects: [UserObject]
    private let metadataStatements: [String]

    /// Returns nil if programs of both versions can't share the store.
    init?(
        _ transition: ModelTransition, _ changes: [TableChange], _ droppedTables: [TableSchema],
        _ migrationDialect: MigrationDialect,
        userObjects: [UserObject], metadataStatements: [String]
    ) {
        guard droppedTables.isEmpty,
            transition.difference.changes.allSatisfy({ Self.isShareable($0, transition) })
        else {
            return nil
        }
        var expanded: [TableChange] = []
        var contracted: [TableChange] = []
        let older = Set(changes.compactMap(\.origin?.name))
        for change in changes {
            guard let pair = Self.parts(of: change, older) else { return nil }
            expanded.append(pair.0)
            contracted.append(pair.1)
        }
        // New tables and indexes must not reuse the names of older ones, which still exist.
        let known = changes.compactMap(\.origin)
        let names = Set(known.flatMap { [$0.name] + $0.indexes.map(\.name) })
        for change in expanded {
            let present = change.origin?.indexes ?? []
            let made = change.table.indexes.filter { !present.contains($0) }.map(\.name)
            let fresh = made + (change.origin == nil ? [change.table.name] : [])
            guard names.isDisjoint(with: fresh) else { return nil }
        }
        self.expanded = expanded
        self.contracted = contracted
        self.migrationDialect = migrationDialect
        self.userObjects = userObjects
        self.metadataStatements = metadataStatements
    }

    private static func isShareable(_ change: ModelChange, _ transition: ModelTransition) -> Bool {
        if transition.isFilled(change.path) { return false }
        let entity = transition.to.model.layout(named: change.entityName)
        let property = change.propertyName.flatMap { entity?.property(named: $0) }
        switch (change.subject, change.kind) {
        case (.entity, .added): return entity?.rootIndex == entity?.index
        case (.attribute, .added):
            guard let attribute = property?.attribute else { return false }
            return attribute.storage == .stored || attribute.storage == .transient
        case (.relationship, .added):
            guard let relationship = property?.relationship?.description else { return false }
            return !relationship.isOrdered && (relationship.isToMany || relationship.isOptional)
        // A program of the newer version doesn't set it, which must be valid for the older version.
        case (.attribute, .removed): return Self.mayBeMissing(change, transition)
        case (_, .indexAdded), (_, .indexRemoved): return true
        case (_, .deleteRule(let old, let new)): return old != .noAction && new != .noAction
        default: return false
        }
    }

    /// Whether the older model allows a removed attribute to be null; columns of subentities in a shared table are always nullable.
    private static func mayBeMissing(_ change: ModelChange, _ transition: ModelTransition) -> Bool {
        let origin = transition.difference.matching.entities[change.entityName]
        guard let name = change.propertyName,
            let attribute = origin.flatMap(transition.from.model.layout(named:))?.property(named: name)?
                .attribute
        else { return false }
        return attribute.isOptional || attribute.storage == .transient
    }

    /// Splits the change of a table into the expand and the contract phase.
    ///
    /// - Parameter older: The tables from which programs of the older version delete.
    private static func parts(of change: TableChange, _ older: Set<String>) -> (TableChange, TableChange)? {
        guard let origin = change.origin else {
            guard change.additionalRows.isEmpty,
                let table = withDeleteActions(change.table, change.table.columns, older)
            else { return nil }
            var expanded = change
            expanded.table = table
            return (expanded, unchanged(change.table, from: table))
        }
        guard !change.writesRows, change.isSuccessor, change.keptEntityNumbers == nil,
            origin.name == change.table.name,
            change.checks.isEmpty
        else {
            return nil
        }
        var expanded = change
        for column in origin.columns {
            if let kept = change.table.columns.first(where: {
                change.origin(of: $0.name)?.name == column.name
            }) {
                guard kept == column else { return nil }
            } else {
                guard column.isNullable, column.reference == nil,
                    !change.table.columns.contains(where: { $0.name == column.name })
                else { return nil }
                expanded.table.columns.append(column)
                expanded.sources[column.name] = .column(column.name)
            }
        }
        for index in origin.indexes where !change.table.indexes.contains(index) {
            guard !change.table.indexes.contains(where: { $0.name == index.name }), !index.isUnique else {
                return nil
            }
            expanded.table.indexes.append(index)
        }
        guard let table = withDeleteActions(expanded.table, expanded.added, older) else { return nil }
        expanded.table = table
        guard expanded.needsNoRebuild else { return nil }
        return (expanded, unchanged(change.table, from: table))
    }

    /// Returns the table with ON DELETE actions on new foreign keys, because programs of the older version don't clear them.
    ///
    /// Returns nil if a new reference is required, so that it can't be cleared.
    private static func withDeleteActions(
        _ table: TableSchema, _ added: [ColumnSchema], _ older: Set<String>
    ) -> TableSchema? {
        var table = table
        let names = Set(added.map(\.name))
        for index in table.columns.indices {
            let column = table.columns[index]
            guard names.contains(column.name), let target = column.reference?.table, older.contains(target)
            else { continue }
            if column.reference?.cascades == true { continue }
            if !table.primaryKey.isEmpty {
                table.columns[index].reference?.cascades = true
            } else if column.isNullable {
                table.columns[index].reference?.clears = true
            } else {
                return nil
            }
        }
        return table
    }

    private static func unchanged(_ table: TableSchema, from origin: TableSchema? = nil) -> TableChange {
        var change = TableChange(table: table, origin: origin ?? table, isSuccessor: true)
        for column in table.columns { change.sources[column.name] = .column(column.name) }
        return change
    }

    var steps: [MigrationStep] {
        let made = expanded.filter { !$0.isUnchanged }.map(\.table.name).joined(separator: ", ")
        let sentence =
            made.isEmpty
            ? "No table changes; both models are in force." : "Tables are created or extended: \(made)."
        let dropped = contracted.filter { !$0.isUnchanged }.map(\.table.name).joined(separator: ", ")
        let last =
            dropped.isEmpty
            ? "Programs of the older version are refused from here on."
            : "Leftovers of the older version are dropped from: \(dropped)."
        if migrationDialect.rebuildsTables {
            let first = RebuildScript(
                changes: expanded, droppedTables: [], migrationDialect: migrationDialect)
            let second = RebuildScript(
                changes: contracted, droppedTables: [], migrationDialect: migrationDialect)
            return [
                MigrationStep(
                    .expand, sentence, .statements(first.statements + metadataStatements), force: .both,
                    effects: first.effects),
                MigrationStep(
                    .contract, last, .statements(second.statements), force: .newer, locks: second.locked,
                    rewrites: second.rewritten, bystanders: second.recreatedObjects(userObjects),
                    effects: second.effects),
            ]
        }
        let first = AlterScript(
            changes: expanded, droppedTables: [], migrationDialect: migrationDialect, keepsDefaults: true,
            defersScans: true,
            isExclusive: false)
        var second = AlterScript(
            changes: contracted, droppedTables: [], migrationDialect: migrationDialect, defersScans: true)
        second.staleDefaults = staleDefaults
        second.userObjects = userObjects
        return [
            MigrationStep(
                .expand, sentence, .statements(first.statements + metadataStatements), force: .both,
                locks: first.locked,
                effects: first.effects)
        ] + first.laterSteps(.validate) + [
            MigrationStep(
                .contract, last, .statements(second.statements), force: .newer, locks: second.locked,
                foreignLosses: DroppedUserObjects(second).lostObjects.map(\.summary), effects: second.effects)
        ] + second.laterSteps(.contract)
    }

    /// The step that drops what the expand phase added.
    var undo: MigrationStep {
        let sentence = "The added tables, columns and indexes are dropped."
        let made = expanded.filter { $0.origin == nil }.map(\.table)
        let changes = expanded.compactMap { change -> TableChange? in
            guard let origin = change.origin else { return nil }
            var back = Self.unchanged(origin)
            back.origin = change.table
            return back
        }
        if migrationDialect.rebuildsTables {
            let script = RebuildScript(
                changes: changes, droppedTables: made, migrationDialect: migrationDialect)
            return MigrationStep(
                .expand, sentence, .statements(script.statements),
                bystanders: script.recreatedObjects(userObjects))
        }
        let script = AlterScript(changes: changes, droppedTables: made, migrationDialect: migrationDialect)
        return MigrationStep(.expand, sentence, .statements(script.statements))
    }

    /// The columns with defaults that only older programs needed.
    private var staleDefaults: [AlterScript.TableColumn] {
        expanded.flatMap { change -> [AlterScript.TableColumn] in
            guard change.origin != nil else { return [] }
            return change.added.compactMap { column in
                guard case .constant? = change.sources[column.name] else { return nil }
                return AlterScript.TableColumn(table: change.table.name, column: column.name)
            }
        }
    }
}
