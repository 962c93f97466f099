import ContextCore

/// The tables of which a migration writes, copies or deletes rows, or demands more than before.
///
/// What it did is checked there and in what refers to them; a table that gets a column with a constant is not read.
struct TouchedTables: Codable, Sendable, Hashable {
    /// By their names before.
    private(set) var older: Set<String> = []
    /// By their names afterwards.
    private(set) var newer: Set<String> = []
    /// The columns, by their newer names behind those of their tables, whose constraints the database looks at in a later step.
    private(set) var unproven: Set<String> = []

    /// - Parameter schema: With the numbers that entities have before the first step.
    init(_ schema: SchemaTransition) throws(StoreError) {
        let changes = try schema.changes()
        let rebuilds = schema.spelling.rebuildsTables
        let demanding = Set(schema.demandingTables)
        let lost = Set(schema.lostReferences.tables)
        for change in changes {
            let isLost = change.origin.map { lost.contains($0.name) } ?? false
            guard isLost || demanding.contains(change.table.name) || change.touchesRows(rebuilds: rebuilds)
            else { continue }
            newer.insert(change.table.name)
            older.formUnion([change.origin?.name].compactMap(\.self) + change.furtherRows.map(\.table))
        }
        older.formUnion(schema.gone(changes).map(\.name))
        if !rebuilds { findUnproven(AlterScript(changes: changes, gone: [], spelling: schema.spelling)) }
    }

    private mutating func findUnproven(_ script: AlterScript) {
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
    /// Whether rows are written, copied or deleted; a constant for all rows is none of it.
    ///
    /// - Parameter rebuilds: Whether the database copies all rows where more than columns and indexes are added.
    fileprivate func touchesRows(rebuilds: Bool) -> Bool {
        guard let origin else { return writesRows || !furtherRows.isEmpty }
        if rebuilds { return writesRows || !isSimple }
        if writesRows || !isHeir || kept != nil || !furtherRows.isEmpty { return true }
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
    /// The newer tables of entities of which more is demanded than before, or that have other entities below them.
    fileprivate var demandingTables: [String] {
        let demanding = transition.difference.changes.filter { change in
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
            demanding.compactMap { new.model.layout(named: $0.entityName) }.map { new.entities[$0.index] }
            + new.entities.filter(hasOtherFamily)
        return entities.map(\.table)
    }

    /// Whether an entity that was there before has lost or gained entities below it that were there before too.
    func hasOtherFamily(_ entity: EntityMapping) -> Bool {
        guard let older = origin(of: entity) else { return false }
        let now = entity.layout.familyIndices.compactMap { matching.entities[new.model.layouts[$0].name] }
        return Set(now) != Set(older.layout.familyIndices.map { old.model.layouts[$0].name })
    }
}
