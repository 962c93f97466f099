import ContextCore

/// The tables in which a migration writes, copies or deletes rows, or for which the newer model is stricter.
///
/// Verification reads these tables and those that refer to them; it doesn't read a table that only gains a column with a constant.
struct TouchedTables: Codable, Sendable, Hashable {
    /// The older names of the tables.
    private(set) var older: Set<String> = []
    /// The newer names of the tables.
    private(set) var newer: Set<String> = []
    /// The columns, as `table.column` with newer names, whose constraints a later step validates.
    private(set) var unproven: Set<String> = []

    /// - Parameter schema: The transition, with the entity numbers before the first step.
    init(_ schema: SchemaTransition) throws(StoreError) {
        let changes = try schema.changes()
        let rebuilds = schema.migrationDialect.rebuildsTables
        let stricter = Set(schema.stricterTables)
        let lost = Set(schema.lostReferences.tables)
        for change in changes {
            let isLost = change.origin.map { lost.contains($0.name) } ?? false
            guard isLost || stricter.contains(change.table.name) || change.touchesRows(rebuilds: rebuilds)
            else { continue }
            newer.insert(change.table.name)
            older.formUnion([change.origin?.name].compactMap(\.self) + change.additionalRows.map(\.table))
        }
        older.formUnion(schema.droppedTables(changes).map(\.name))
        if !rebuilds {
            findUnvalidatedColumns(
                AlterScript(changes: changes, droppedTables: [], migrationDialect: schema.migrationDialect))
        }
    }

    private mutating func findUnvalidatedColumns(_ script: AlterScript) {
        for change in script.changes where change.origin != nil {
            for column in change.table.columns where !column.isPrimaryKey {
                let isDemanded = !column.isNullable && change.origin(of: column.name)?.isNullable == true
                let isReferring =
                    column.reference != nil && change.sources[column.name] != .nothing
                    && !script.isKept(column, change)
                if isDemanded || isReferring {
                    unproven.insert(Self.name(column.name, in: change.table.name))
                }
            }
        }
    }

    func isUnproven(_ column: String, in table: String) -> Bool {
        unproven.contains(Self.name(column, in: table))
    }

    private static func name(_ column: String, in table: String) -> String { "\(table).\(column)" }
}

extension TableChange {
    /// Whether rows are written, copied or deleted; adding a constant to all rows doesn't count.
    ///
    /// - Parameter rebuilds: Whether the database copies all rows for changes beyond adding columns and indexes.
    fileprivate func touchesRows(rebuilds: Bool) -> Bool {
        guard let origin else { return writesRows || !additionalRows.isEmpty }
        if rebuilds { return writesRows || !needsNoRebuild }
        if writesRows || !isSuccessor || keptEntityNumbers != nil || !additionalRows.isEmpty { return true }
        return table.columns.contains { column in
            switch sources[column.name] {
            case .expression?, .mirrored?: true
            case .column(let name)?:
                name.hasPrefix(SchemaTransition.pending)
                    || origin.columns.first { $0.name == name }?.type != column.type
            case .constant?, .nothing?, nil: false
            }
        }
    }
}

extension SchemaTransition {
    /// The newer tables of entities for which the model is stricter, or that have other subentities than before.
    fileprivate var stricterTables: [String] {
        let stricter = transition.difference.changes.filter { change in
            switch change.kind {
            case .moved, .type, .storage, .required, .destination, .destinationsLost, .toMany, .ordered,
                .inverse,
                .uniqueAdded:
                true
            case .added, .removed, .renamed, .abstract, .transformer, .optional, .deleteRule, .indexAdded,
                .indexRemoved, .uniqueRemoved:
                false
            }
        }
        let entities =
            stricter.compactMap { new.model.layout(named: $0.entityName) }.map { new.entities[$0.index] }
            + new.entities.filter(hasOtherSubentities)
        return entities.map(\.table)
    }

    /// Whether an existing entity has lost or gained existing subentities.
    func hasOtherSubentities(_ entity: EntityMapping) -> Bool {
        guard let older = origin(of: entity) else { return false }
        let now = entity.layout.familyIndices.compactMap { matching.entities[new.model.layouts[$0].name] }
        return Set(now) != Set(older.layout.familyIndices.map { old.model.layouts[$0].name })
    }
}
