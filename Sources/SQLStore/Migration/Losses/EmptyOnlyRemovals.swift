import ContextCore

/// The parts of a model that a migration may drop only if they contain no data.
struct EmptyOnlyRemovals {
    private let names: Set<String>
    private let schema: SchemaTransition

    /// - Parameter names: The paths of the parts: `Game` or `Game.title`.
    init(_ names: Set<String>, _ schema: SchemaTransition) {
        self.names = names
        self.schema = schema
    }

    /// Returns the steps with checks, in the first step and the first step of the last phase, that the parts contain no data.
    ///
    /// - Throws: `StoreError.Code.migrationRefused` if data in a part can't be counted.
    func addingChecks(in steps: [MigrationStep]) throws(StoreError) -> [MigrationStep] {
        let checks = try checks
        if checks.isEmpty { return steps }
        var steps = steps
        let last = steps.firstIndex { $0.phase == .contract }
        for index in Set([steps.startIndex, last ?? steps.startIndex]) { steps[index].checks += checks }
        return steps
    }

    private var checks: [MigrationStep.Check] {
        get throws(StoreError) {
            var checks: [MigrationStep.Check] = []
            for change in schema.transition.difference.changes
            where change.consequence == .losesData && names.contains(change.path) {
                let counts = try counts(change)
                checks += counts.map { count in
                    MigrationStep.Check(
                        count: schema.migrationDialect.text(count),
                        sentence: "objects have data in \(change.path), which would be lost")
                }
            }
            return checks
        }
    }

    private func counts(_ change: ModelChange) throws(StoreError) -> [SQLFragment] {
        if case .destinationsLost = change.kind {
            if schema.transition.isFilled(change.path) { return [] }
            let counts = schema.lostReferences.counts(of: change.path)
            guard counts.isEmpty else { return counts }
        }
        let name = schema.matching.entities[change.entityName] ?? change.entityName
        guard change.kind == .removed, let layout = schema.old.model.layout(named: name) else {
            throw StoreError(
                .migrationRefused, "\(change.path) would be lost. Nothing was changed.")
        }
        let entity = schema.old.entities[layout.index]
        guard let name = change.propertyName else { return [rows(of: entity)] }
        guard let property = layout.property(named: name) else { return [] }
        if let collection = entity.collections[property.slot] { return [members(of: collection)] }
        guard property.attribute.map({ $0.storage == .stored }) ?? true else { return [] }
        let conditions = property.columns.enumerated().map { part, index in
            hasDataCondition(entity.columns[index], initial(property.attribute, part))
        }
        return conditions.isEmpty ? [] : [rows(of: entity, where: conditions.joined(by: " OR "))]
    }

    private func rows(of entity: EntityMapping, where condition: SQLFragment? = nil) -> SQLFragment {
        var conditions: [SQLFragment] = condition.map { ["(\($0))"] } ?? []
        if entity.hasEntityColumn {
            let family =
                condition == nil ? [] : entity.layout.familyIndices.map { schema.old.entities[$0].number }
            let numbers = Set(family + [entity.number]).sorted().map { "\(number: $0)" as SQLFragment }
                .joined()
            conditions.append("\(name: StoreNames.entity) IN (\(numbers))")
        }
        let filter: SQLFragment = conditions.isEmpty ? "" : " WHERE \(conditions.joined(by: " AND "))"
        return "SELECT count(*) FROM \(name: entity.table)\(filter)"
    }

    private func members(of collection: CollectionMapping) -> SQLFragment {
        switch collection {
        case .children(let children):
            "SELECT count(*) FROM \(name: children.table) WHERE \(name: children.reference) IS NOT NULL"
        case .links(let links): "SELECT count(*) FROM \(name: links.table)"
        }
    }

    /// Returns the condition that a row has a value other than the initial one.
    private func hasDataCondition(_ column: ColumnMapping, _ initial: SQLFragment?) -> SQLFragment {
        guard let initial else {
            let outside: SQLFragment = column.external.map { " OR \(name: $0.stamp) IS NOT NULL" } ?? ""
            return "\(name: column.name) IS NOT NULL\(outside)"
        }
        return "(\(name: column.name) IS NULL OR \(name: column.name) <> \(initial))"
    }

    private func initial(_ attribute: AttributeDescription?, _ part: Int) -> SQLFragment? {
        guard let attribute, case .value(let value)? = attribute.defaultValue else { return nil }
        var (initialValue, type) = (value, attribute.type)
        if case .composite(let parts) = value, case .composite(let types) = attribute.type {
            guard parts.indices.contains(part), types.indices.contains(part) else { return nil }
            (initialValue, type) = (parts[part], types[part].type)
        }
        let column = SQLType(type)
        // Databases store JSON in different forms, so it can't be compared.
        return column == .json ? nil : schema.migrationDialect.dialect.literal(initialValue, column)
    }
}
