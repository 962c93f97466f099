import ContextCore

/// Counts the rows of a store that contradict its model: references and links to objects that don't exist or have the wrong entity,
/// missing required values, and duplicates of unique values.
///
/// A migration counts them before its first step and in the last transaction that can be rolled back, per property, in the tables that
/// it touches. It accepts earlier contradictions, and is rolled back if a property has more of them than the older property had.
struct MigrationVerification {
    /// One kind of contradiction and the query that counts it.
    private struct Rule {
        let entity: EntityLayout
        let slots: [Int]
        let path: String
        let sentence: String
        /// The tables that the query reads.
        let tables: [String]
        let count: SQLFragment
    }

    /// A kind of contradiction that the store has.
    struct Finding {
        /// The entity, the properties, and the problem, by the names of this model.
        let key: String
        /// The keys of the same problem for the older properties, by the names of the older model.
        let olderKeys: Set<String>
        let sentence: String
        let count: Int
    }

    private let mapping: StoreMapping
    private let migrationDialect: MigrationDialect
    /// The tables that the migration touches, or nil for all.
    private let touched: TouchedTables?

    /// - Parameter touched: The tables of the newer model to check, or nil for all.
    init(_ mapping: StoreMapping, _ migrationDialect: MigrationDialect, touched: TouchedTables? = nil) {
        self.mapping = mapping
        self.migrationDialect = migrationDialect
        self.touched = touched
    }

    /// Whether steps can cause contradictions; adding tables or columns can't, so large stores aren't scanned for that.
    static func isNeeded(for steps: [MigrationStep], _ schema: SchemaTransition) -> Bool {
        let changesRows = steps.contains { step in
            if case .fill = step.work { return true }
            return !step.rewrites.isEmpty
        }
        return changesRows || schema.new.entities.contains { schema.hasOtherSubentities($0) }
    }

    /// Counts the contradictions to the older model that are compared later.
    func findingsBefore(
        _ connection: any MigrationConnection, _ schema: SchemaTransition
    ) throws(StoreError) -> [Finding] {
        let keys = Set(rules.flatMap { schema.olderKeys($0.entity, $0.slots, $0.sentence) })
        let older = MigrationVerification(schema.old, migrationDialect)
        return try older.findings(connection) { keys.contains($0) }
    }

    /// Counts the contradictions and returns those that occur.
    ///
    /// - Parameters:
    ///   - older: The transition, to compare with the findings of the older model.
    ///   - isWanted: Selects what is counted by its key.
    func findings(
        _ connection: any MigrationConnection, older: SchemaTransition? = nil,
        where isWanted: (String) -> Bool = { _ in true }
    ) throws(StoreError) -> [Finding] {
        var found: [Finding] = []
        for rule in rules where isWanted(Self.key(rule.entity, rule.slots, rule.sentence)) {
            let check = MigrationStep.Check(count: migrationDialect.text(rule.count), sentence: rule.sentence)
            let count = try connection.count(check)
            guard count > 0 else { continue }
            found.append(
                Finding(
                    key: Self.key(rule.entity, rule.slots, rule.sentence),
                    olderKeys: older.map { $0.olderKeys(rule.entity, rule.slots, rule.sentence) } ?? [],
                    sentence: "\(rule.path) \(rule.sentence)", count: count))
        }
        return found
    }

    /// Returns the key of the finding that a required attribute has no value.
    static func missingKey(_ attribute: String, of entityName: String) -> String {
        "\(entityName).\(attribute) \(missingSentence)"
    }

    private static let missingSentence = "has no value, and must have one"

    fileprivate static func key(_ entity: EntityLayout, _ slots: [Int], _ sentence: String) -> String {
        "\(entity.name).\(slots.map { entity.properties[$0].name }.joined(separator: ",")) \(sentence)"
    }

    // MARK: Rules

    private var rules: [Rule] {
        guard let touched else { return allRules }
        return allRules.filter { !touched.newer.isDisjoint(with: $0.tables) }
    }

    private var allRules: [Rule] {
        var rules: [Rule] = []
        for entity in mapping.entities {
            for (column, mapped) in zip(entity.layout.columns, entity.columns) {
                let declaring = entity.layout.declaringEntity(of: column.slot, in: mapping.model)
                guard declaring.index == entity.layout.index else { continue }
                let property = Property(entity: entity, slot: column.slot)
                let path = "\(entity.layout.name).\(column.name)"
                if case .reference(let destination) = column.kind {
                    rules += reference(path, mapped.name, property, to: mapping.entities[destination])
                }
                if !column.isOptional, mapped.isNullable || isUnproven(mapped.name, in: entity.table) {
                    rules.append(missing(path, mapped, property))
                }
            }
            for (slot, collection) in entity.collections.sorted(by: { $0.key < $1.key }) {
                guard case .links(let links) = collection,
                    entity.layout.declaringEntity(of: slot, in: mapping.model).index == entity.layout.index
                else { continue }
                rules += self.links(links, Property(entity: entity, slot: slot))
            }
            rules += unique(entity)
        }
        return rules
    }

    private func isUnproven(_ column: String, in table: String) -> Bool {
        touched?.isUnproven(column, in: table) ?? false
    }

    /// A property and the entity that declares it.
    private struct Property {
        let entity: EntityMapping
        let slot: Int
        var layout: PropertyLayout { entity.layout.properties[slot] }
    }

    private func reference(
        _ path: String, _ name: String, _ property: Property, to destination: EntityMapping
    ) -> [Rule] {
        guard property.layout.relationship.map(mapping.isChecked) == true else { return [] }
        let entity = property.entity
        return wrong(path, name, in: entity.table, members(of: entity), destination, property).map { [$0] }
            ?? []
    }

    private func links(_ links: CollectionMapping.Links, _ property: Property) -> [Rule] {
        guard let relationship = property.layout.relationship else { return [] }
        let path = "\(property.entity.layout.name).\(property.layout.name)"
        let destination = mapping.entities[relationship.destinationIndex]
        return [
            wrong(path, links.owner, in: links.table, nil, property.entity, property),
            wrong(path, links.target, in: links.table, nil, destination, property),
        ].compactMap(\.self)
    }

    /// Returns the rules that count duplicate values of unique constraints.
    private func unique(_ entity: EntityMapping) -> [Rule] {
        entity.layout.uniqueConstraints.filter { $0.entityIndex == entity.layout.index }.map { constraint in
            let columns = constraint.columns.map { "\(name: entity.columns[$0].name)" as SQLFragment }
            let present =
                columns.map { "\($0) IS NOT NULL" as SQLFragment } + [members(of: entity)].compactMap(\.self)
            var slots: [Int] = []
            for slot in constraint.columns.map({ entity.layout.columns[$0].slot }) where slots.last != slot {
                slots.append(slot)
            }
            let names = slots.map { entity.layout.properties[$0].name }.joined(separator: ", ")
            return Rule(
                entity: entity.layout, slots: slots, path: "\(entity.layout.name) (\(names))",
                sentence: "has values that must be unique and aren't", tables: [entity.table],
                count: """
                    SELECT count(*) FROM (SELECT 1 FROM \(name: entity.table) WHERE \(present.joined(by: " AND ")) \
                    GROUP BY \(columns.joined()) HAVING count(*) > 1) AS \(name: "duplicates")
                    """)
        }
    }

    /// Returns the rule that counts invalid references in a column, or nil if the database's constraints exclude them.
    private func wrong(
        _ path: String, _ column: String, in table: String, _ members: SQLFragment?, _ target: EntityMapping,
        _ property: Property
    ) -> Rule? {
        let isNarrow = target.layout.rootIndex != target.layout.index
        // SQLite rebuilds tables without checking foreign keys.
        guard isNarrow || migrationDialect.rebuildsTables || isUnproven(column, in: table) else { return nil }
        let owners: SQLFragment = members.map { " AND \($0)" } ?? ""
        let kinds: SQLFragment =
            isNarrow && target.hasEntityColumn
            ? " AND \(name: StoreNames.referred).\(name: StoreNames.entity) IN (\(numbers(of: target)))" : ""
        return Rule(
            entity: property.entity.layout, slots: [property.slot], path: path,
            sentence: "refers to objects that it can't refer to",
            tables: [table, property.entity.table, target.table],
            count: """
                SELECT count(*) FROM \(name: table) WHERE \(name: column) IS NOT NULL\(owners) AND NOT EXISTS \
                (SELECT 1 FROM \(name: target.table) AS \(name: StoreNames.referred) \
                WHERE \(name: StoreNames.referred).\(name: StoreNames.key) = \(name: table).\(name: column)\(kinds))
                """)
    }

    private func missing(_ path: String, _ column: ColumnMapping, _ property: Property) -> Rule {
        let entity = property.entity
        let owners: SQLFragment = members(of: entity).map { " AND \($0)" } ?? ""
        let inside: SQLFragment = column.external.map { " AND \(name: $0.stamp) IS NULL" } ?? ""
        return Rule(
            entity: entity.layout, slots: [property.slot], path: path,
            sentence: Self.missingSentence, tables: [entity.table],
            count:
                "SELECT count(*) FROM \(name: entity.table) WHERE \(name: column.name) IS NULL\(inside)\(owners)"
        )
    }

    /// Returns the condition that selects the rows of an entity and its subentities, or nil if all rows of the table qualify.
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
    /// Returns the keys of findings about the older properties of some properties of a newer entity.
    fileprivate func olderKeys(_ entity: EntityLayout, _ slots: [Int], _ sentence: String) -> Set<String> {
        let keys = entity.familyIndices.compactMap { index -> String? in
            guard let origin = origin(of: new.entities[index])?.layout else { return nil }
            let older = slots.compactMap { slot in
                matching.property(entity.properties[slot].name, of: entity, from: origin, in: old.model)?.slot
            }
            guard older.count == slots.count, let first = older.first else { return nil }
            return MigrationVerification.key(
                origin.declaringEntity(of: first, in: old.model), older, sentence)
        }
        return Set(keys)
    }
}
