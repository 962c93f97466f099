import ContextCore

/// Counts the rows of a store that contradict its model: references and links to objects of the wrong entity or of none, required values
/// that are missing, and values that must be unique and aren't.
///
/// A migration counts them before its first step and in the transaction after which it can't be taken back, each property by itself, in
/// the tables that it touches. It leaves alone what was wrong before, but is taken back when a property has more of them than the one
/// that it was.
struct MigrationVerification {
    /// What one query counts.
    private struct Rule {
        let entity: EntityLayout
        let slots: [Int]
        let path: String
        let sentence: String
        /// The tables that are read.
        let tables: [String]
        let count: SQLFragment
    }

    /// Rows that contradict the model.
    struct Finding {
        /// What the rows are of, and what is wrong, by the names of this model.
        let key: String
        /// The same by the names of the older model: of everything that the properties were.
        let olderKeys: Set<String>
        let sentence: String
        let count: Int
    }

    private let mapping: StoreMapping
    private let spelling: MigrationDialect
    /// The tables that the migration touches; nil for all.
    private let touched: TouchedTables?

    /// - Parameter touched: The tables of the newer model of which something is counted; nil for all.
    init(_ mapping: StoreMapping, _ spelling: MigrationDialect, touched: TouchedTables? = nil) {
        self.mapping = mapping
        self.spelling = spelling
        self.touched = touched
    }

    /// Whether steps change what is counted: additions to tables alone don't, and large stores aren't read for them.
    static func isNeeded(for steps: [MigrationStep], _ schema: SchemaTransition) -> Bool {
        let changesRows = steps.contains { step in
            if case .fill = step.work { return true }
            return !step.rewrites.isEmpty
        }
        return changesRows || schema.new.entities.contains { schema.hasOtherFamily($0) }
    }

    /// Counts what contradicts the older model, of what is compared with it afterwards.
    func findingsBefore(
        _ connection: any MigrationConnection, _ schema: SchemaTransition
    ) throws(StoreError) -> [Finding] {
        let keys = Set(rules.flatMap { schema.olderKeys($0.entity, $0.slots, $0.sentence) })
        let older = MigrationVerification(schema.old, spelling)
        return try older.findings(connection) { keys.contains($0) }
    }

    /// Counts them; what has none is left out.
    ///
    /// - Parameters:
    ///   - older: What the model was, where its findings are compared with those of an older one.
    ///   - isWanted: Chooses what is counted, by its key.
    func findings(
        _ connection: any MigrationConnection, older: SchemaTransition? = nil,
        where isWanted: (String) -> Bool = { _ in true }
    ) throws(StoreError) -> [Finding] {
        var found: [Finding] = []
        for rule in rules where isWanted(Self.key(rule.entity, rule.slots, rule.sentence)) {
            let check = MigrationStep.Check(count: spelling.text(rule.count), sentence: rule.sentence)
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

    /// Names what a required attribute lacks, by the key of the finding.
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
                let declaring = entity.layout.declaring(column.slot, in: mapping.model)
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
                    entity.layout.declaring(slot, in: mapping.model).index == entity.layout.index
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

    /// A property of the entity that declares it.
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

    /// Counts the values that several objects have and only one may have.
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

    /// Counts the values of a column that are no key of an object of an entity; nil where the database's own constraints exclude them.
    private func wrong(
        _ path: String, _ column: String, in table: String, _ members: SQLFragment?, _ target: EntityMapping,
        _ property: Property
    ) -> Rule? {
        let isNarrow = target.layout.rootIndex != target.layout.index
        // A database that rebuilds tables does so without looking at references.
        guard isNarrow || spelling.rebuildsTables || isUnproven(column, in: table) else { return nil }
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
    /// The keys that findings of an older model have about what some properties of a newer entity were.
    fileprivate func olderKeys(_ entity: EntityLayout, _ slots: [Int], _ sentence: String) -> Set<String> {
        let keys = entity.familyIndices.compactMap { index -> String? in
            guard let origin = origin(of: new.entities[index])?.layout else { return nil }
            let older = slots.compactMap { slot in
                matching.property(entity.properties[slot].name, of: entity, from: origin, in: old.model)?.slot
            }
            guard older.count == slots.count, let first = older.first else { return nil }
            return MigrationVerification.key(origin.declaring(first, in: old.model), older, sentence)
        }
        return Set(keys)
    }
}
