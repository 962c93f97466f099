import ContextCore

extension AlterScript {
    /// The locks that the statements take on existing tables and the work they do on the rows.
    var effects: [TableEffect] {
        var effects = EffectCollector()
        if isExclusive { effects.record(StoreNames.models, .accessExclusive, .closed) }
        for table in locked { effects.record(table, .accessExclusive) }
        for table in lostReferences.tables { effects.record(table, .accessExclusive, .deleted) }
        for table in rewritten { effects.record(table, .accessExclusive, .rewritten) }
        for table in droppedTables {
            effects.record(table.name, .accessExclusive, .dropped)
            for column in table.columns { recordRemoval(of: column.reference, &effects) }
        }
        for change in changes {
            recordRowWork(change, &effects)
            recordReferenceLocks(change, &effects)
        }
        return effects.list
    }

    private func recordRowWork(_ change: TableChange, _ effects: inout EffectCollector) {
        for rows in change.additionalRows { effects.record(rows.table, nil, .read) }
        guard let origin = change.origin else { return }
        guard change.isSuccessor else { return effects.record(origin.name, nil, .read) }
        if change.keptEntityNumbers != nil { effects.record(origin.name, .accessExclusive, .deleted) }
        if newIndexes(change).contains(where: { $0.isUnique || !defersScans }) {
            effects.record(origin.name, .accessExclusive, .indexed)
        }
        let demands = change.table.columns.contains { column in
            guard !column.isNullable, !column.isPrimaryKey, change.origin(of: column.name) == nil,
                case .nothing? = change.sources[column.name]
            else { return false }
            return true
        }
        if demands { effects.record(origin.name, .accessExclusive, .read) }
    }

    /// Records the locks on tables that new or dropped references refer to.
    private func recordReferenceLocks(_ change: TableChange, _ effects: inout EffectCollector) {
        for column in change.table.columns where !isKept(column, change) {
            guard let target = column.reference.flatMap({ present($0.table) }) else { continue }
            effects.record(target, .shareRowExclusive)
        }
        guard let origin = change.origin, change.isSuccessor else { return }
        let kept = change.table.columns.filter { isKept($0, change) }.compactMap {
            change.origin(of: $0.name)?.name
        }
        for column in origin.columns where !kept.contains(column.name) {
            recordRemoval(of: column.reference, &effects)
        }
    }

    /// Records the lock on the referenced table, which dropping a reference alters too.
    private func recordRemoval(of reference: ColumnSchema.Reference?, _ effects: inout EffectCollector) {
        if let reference { effects.record(reference.table, .accessExclusive) }
    }

    /// Returns the current name of a table, or nil if the migration creates it.
    private func present(_ name: String) -> String? {
        guard let change = changes.first(where: { $0.table.name == name }) else { return name }
        return change.isSuccessor ? change.origin?.name : nil
    }
}
