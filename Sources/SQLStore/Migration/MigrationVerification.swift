import ContextCore

/// Counts the rows of a store that contradict its model: references and links to objects of the wrong entity or of none, and required
/// values that are missing.
///
/// A migration counts them before its first step and in the transaction of its last one. It leaves alone what was wrong before, but is not
/// complete when there are more of them than there were.
struct MigrationVerification {
    /// What one query counts.
    private struct Rule {
        let path: String
        let sentence: String
        let count: SQLFragment
    }

    private let mapping: StoreMapping
    private let spelling: MigrationDialect

    init(_ mapping: StoreMapping, _ spelling: MigrationDialect) {
        self.mapping = mapping
        self.spelling = spelling
    }

    /// Whether steps change what is counted: additions to tables alone don't, and large stores aren't read for them.
    static func isNeeded(for steps: [MigrationStep], _ schema: SchemaTransition) -> Bool {
        let changesRows = steps.contains { step in
            if case .fill = step.work { return true }
            return !step.rewrites.isEmpty
        }
        return changesRows || schema.new.entities.contains { schema.hasOtherFamily($0) }
    }

    /// How many rows there are, by the paths of properties; those without any are left out.
    func counts(_ connection: any MigrationConnection) throws(StoreError) -> [(sentence: String, count: Int)]
    {
        var found: [(sentence: String, count: Int)] = []
        for rule in rules {
            let check = MigrationStep.Check(count: spelling.text(rule.count), sentence: rule.sentence)
            let count = try connection.count(check)
            if count > 0 { found.append(("\(rule.path) \(rule.sentence)", count)) }
        }
        return found
    }

    // MARK: Rules

    private var rules: [Rule] {
        var rules: [Rule] = []
        for entity in mapping.entities {
            for (column, mapped) in zip(entity.layout.columns, entity.columns) {
                let declaring = entity.layout.declaring(column.slot, in: mapping.model)
                guard declaring.index == entity.layout.index else { continue }
                let path = "\(entity.layout.name).\(column.name)"
                if case .reference(let destination) = column.kind {
                    rules += reference(
                        path, mapped.name, of: entity, to: mapping.entities[destination], column)
                }
                if !column.isOptional, mapped.isNullable {
                    rules.append(missing(path, mapped, of: entity))
                }
            }
            for (slot, collection) in entity.collections.sorted(by: { $0.key < $1.key }) {
                guard case .links(let links) = collection,
                    entity.layout.declaring(slot, in: mapping.model).index == entity.layout.index
                else { continue }
                rules += self.links(links, slot, of: entity)
            }
        }
        return rules
    }

    private func reference(
        _ path: String, _ name: String, of entity: EntityMapping, to destination: EntityMapping,
        _ column: ColumnLayout
    ) -> [Rule] {
        guard entity.layout.properties[column.slot].relationship.map(mapping.isChecked) == true else {
            return []
        }
        return wrong(path, name, in: entity.table, members(of: entity), destination).map { [$0] } ?? []
    }

    private func links(_ links: CollectionMapping.Links, _ slot: Int, of entity: EntityMapping) -> [Rule] {
        let property = entity.layout.properties[slot]
        guard let relationship = property.relationship else { return [] }
        let path = "\(entity.layout.name).\(property.name)"
        let destination = mapping.entities[relationship.destinationIndex]
        return [
            wrong(path, links.owner, in: links.table, nil, entity),
            wrong(path, links.target, in: links.table, nil, destination),
        ].compactMap(\.self)
    }

    /// Counts the values of a column that are no key of an object of an entity; nil where the database's own constraints exclude them.
    private func wrong(
        _ path: String, _ column: String, in table: String, _ members: SQLFragment?, _ target: EntityMapping
    ) -> Rule? {
        let isNarrow = target.layout.rootIndex != target.layout.index
        // A database that rebuilds tables does so without looking at references.
        guard isNarrow || spelling.rebuildsTables else { return nil }
        let owners: SQLFragment = members.map { " AND \($0)" } ?? ""
        let kinds: SQLFragment =
            isNarrow && target.hasEntityColumn
            ? " AND \(name: "target").\(name: StoreNames.entity) IN (\(numbers(of: target)))" : ""
        return Rule(
            path: path, sentence: "refers to objects that it can't refer to",
            count: """
                SELECT count(*) FROM \(name: table) WHERE \(name: column) IS NOT NULL\(owners) AND NOT EXISTS \
                (SELECT 1 FROM \(name: target.table) AS \(name: "target") \
                WHERE \(name: "target").\(name: StoreNames.key) = \(name: table).\(name: column)\(kinds))
                """)
    }

    private func missing(_ path: String, _ column: ColumnMapping, of entity: EntityMapping) -> Rule {
        let owners: SQLFragment = members(of: entity).map { " AND \($0)" } ?? ""
        let inside: SQLFragment = column.external.map { " AND \(name: $0.stamp) IS NULL" } ?? ""
        return Rule(
            path: path, sentence: "has no value, and must have one",
            count:
                "SELECT count(*) FROM \(name: entity.table) WHERE \(name: column.name) IS NULL\(inside)\(owners)"
        )
    }

    /// Chooses the rows of an entity and of those below it; nil where all rows of the table are.
    private func members(of entity: EntityMapping) -> SQLFragment? {
        guard entity.hasEntityColumn, entity.layout.rootIndex != entity.layout.index else { return nil }
        return "\(name: StoreNames.entity) IN (\(numbers(of: entity)))"
    }

    private func numbers(of entity: EntityMapping) -> SQLFragment {
        entity.layout.familyIndices.map { mapping.entities[$0].number }.sorted()
            .map { "\(number: $0)" as SQLFragment }.joined()
    }
}

extension SchemaTransition {
    /// Whether an entity that was there before has lost or gained entities below it that were there before too.
    fileprivate func hasOtherFamily(_ entity: EntityMapping) -> Bool {
        guard let older = origin(of: entity) else { return false }
        let now = entity.layout.familyIndices.compactMap { matching.entities[new.model.layouts[$0].name] }
        return Set(now) != Set(older.layout.familyIndices.map { old.model.layouts[$0].name })
    }
}
