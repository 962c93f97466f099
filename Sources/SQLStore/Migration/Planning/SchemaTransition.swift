import ContextCore

/// Determines how each table changes from one version of a store's model to the next.
package struct SchemaTransition {
    /// The prefix of temporary columns and tables that wait for their final names; no name of a model has it.
    package static let pending = "_new_"
    /// The prefix of intermediate names when columns, tables or indexes swap names.
    static let moved = "_moved_"

    let transition: ModelTransition
    let migrationDialect: MigrationDialect
    let old: StoreMapping
    let new: StoreMapping
    private(set) var lostReferences = LostReferences()
    private(set) var oldTables: [String: TableSchema] = [:]
    private let newTables: [TableSchema]
    /// The newer table that each older table becomes.
    private var successors: [String: String] = [:]

    init(
        _ transition: ModelTransition, _ migrationDialect: MigrationDialect, oldNumbers: [String: Int],
        newNumbers: [String: Int]
    ) throws(StoreError) {
        self.transition = transition
        self.migrationDialect = migrationDialect
        let longest = migrationDialect.dialect.maximumNameLength
        old = StoreMapping(transition.from.model, numbers: oldNumbers, maximumNameLength: longest)
        new = StoreMapping(transition.to.model, numbers: newNumbers, maximumNameLength: longest)
        for table in try SchemaBuilder(old, maximumNameLength: longest).tables() {
            oldTables[table.name] = table
        }
        newTables = try SchemaBuilder(new, maximumNameLength: longest).tables()
        findSuccessors()
        lostReferences = LostReferences(self)
    }

    var matching: ModelMatching { transition.difference.matching }

    /// Returns the change of each table of the newer model.
    ///
    /// - Throws: ``StoreError/Code/migrationRefused`` if two inheritance trees would be merged.
    func changes() throws(StoreError) -> [TableChange] {
        var changes: [TableChange] = []
        for root in new.roots { changes.append(try change(of: root)) }
        shareFilledColumns(&changes)
        changes += planExternalValues(&changes)
        for links in new.joinTables { changes.append(change(of: links)) }
        for (table, check) in lostReferences.checks {
            if let index = changes.firstIndex(where: { $0.table.name == table }) {
                changes[index].checks.append(check)
            }
        }
        return changes
    }

    /// Adds columns that are backfilled in an older table for rows that leave it to the table's successor, which has them too.
    private func shareFilledColumns(_ changes: inout [TableChange]) {
        for index in changes.indices where changes[index].isSuccessor {
            guard let origin = changes[index].origin else { continue }
            var known = Set(origin.columns.map(\.name))
            let others = changes.filter { $0.origin?.name == origin.name }.compactMap(\.origin).flatMap(
                \.columns)
            changes[index].origin?.columns += others.filter {
                $0.name.hasPrefix(Self.pending) && known.insert($0.name).inserted
            }
        }
    }

    /// Returns the older tables that become no newer table.
    func droppedTables(_ changes: [TableChange]) -> [TableSchema] {
        let successors = Set(changes.filter(\.isSuccessor).compactMap(\.origin?.name))
        return oldTables.values.filter { !successors.contains($0.name) }.sorted {
            $0.name.precedesByBytes($1.name)
        }
    }

    func table(named name: String) -> TableSchema {
        newTables.first { $0.name == name } ?? TableSchema(name, columns: [])
    }

    // MARK: Entities

    /// Returns the older entity that a newer one was.
    func origin(of entity: EntityMapping) -> EntityMapping? {
        matching.entities[entity.layout.name].flatMap(old.model.layout(named:)).map { old.entities[$0.index] }
    }

    private mutating func findSuccessors() {
        let names = Dictionary(matching.entities.map { ($0.value, $0.key) }) { first, _ in first }
        for root in old.roots {
            let members = [root] + root.layout.familyIndices.map { old.entities[$0] }
            let successor = members.lazy.compactMap { names[$0.layout.name] }.first
            if let successor, let layout = new.model.layout(named: successor) {
                successors[root.table] = new.entities[layout.rootIndex].table
            }
        }
    }

    private func change(of root: EntityMapping) throws(StoreError) -> TableChange {
        var change = TableChange(table: table(named: root.table))
        let family = root.layout.familyIndices.map { new.entities[$0] }
        let pairs = family.compactMap { member in origin(of: member).map { Pair(new: member, old: $0) } }
        let tables = Set(pairs.map(\.old.table))
        guard tables.count <= 1 else { throw mergedTreesError(root) }
        guard let name = tables.first, let origin = oldTables[name] else {
            for column in change.table.columns { change.sources[column.name] = .nothing }
            return change
        }
        change.origin = origin
        change.isSuccessor = successors[name] == root.table
        change.keptEntityNumbers = keptEntityNumbers(pairs)
        change.sources[StoreNames.key] = .column(StoreNames.key)
        change.sources[StoreNames.version] = .column(StoreNames.version)
        if root.hasEntityColumn {
            let hasColumn = pairs[0].old.hasEntityColumn
            change.sources[StoreNames.entity] =
                hasColumn ? .column(StoreNames.entity) : .constant("\(number: pairs[0].new.number)")
        }
        for member in family {
            for (column, mapped) in zip(member.layout.columns, member.columns)
            where change.sources[mapped.name] == nil {
                let property = try ColumnChange(self, column, mapped, in: member, pairs)
                change.sources[mapped.name] = property.source
                change.checks += property.checks
                if property.isPlaceholder { change.derivedColumns.insert(mapped.name) }
                if let filled = property.filled { change.origin?.columns.append(filled) }
            }
        }
        if allowsWritesDuringBackfill,
            change.origin?.columns.contains(where: { $0.name.hasPrefix(Self.pending) }) == true
        {
            change.origin?.columns.append(
                ColumnSchema(Self.filledVersion, .integer(bits: 64), isNullable: true))
        }
        setPositionSources(in: &change, of: root)
        change.checks += duplicateChecks(change)
        change.indexChecks = sizeChecks(change)
        change.checks += abstractEntityChecks(pairs)
        change.checks += danglingReferenceChecks(change)
        return change
    }

    private func keptEntityNumbers(_ pairs: [Pair]) -> [Int]? {
        let older = pairs[0].old
        guard older.hasEntityColumn else { return nil }
        let all = old.entities.filter { $0.table == older.table && !$0.layout.isAbstract }.map(\.number)
        let kept = pairs.map(\.old.number)
        return Set(all).isSubset(of: kept) ? nil : kept.sorted()
    }

    private func mergedTreesError(_ root: EntityMapping) -> StoreError {
        StoreError(
            .migrationRefused,
            "Objects of several inheritance trees would move into the tree of \(root.layout.name), and their keys may collide.",
            remedy: "Add a new entity for one of the trees, and copy its objects.")
    }

    /// Returns the checks for rows of entities that become abstract.
    private func abstractEntityChecks(_ pairs: [Pair]) -> [RowCheck] {
        pairs.filter { $0.new.layout.isAbstract && !$0.old.layout.isAbstract }.map { pair in
            let filter: SQLFragment =
                pair.old.hasEntityColumn
                ? " WHERE \(name: StoreNames.entity) = \(number: pair.old.number)" : ""
            return RowCheck(
                "SELECT count(*) FROM \(name: pair.old.table)\(filter)",
                "objects are of \(pair.new.layout.name) itself, which becomes abstract"
            )
        }
    }

    /// Returns the checks for dangling references in columns that gain a foreign key.
    private func danglingReferenceChecks(_ change: TableChange) -> [RowCheck] {
        guard let origin = change.origin else { return [] }
        return change.table.columns.compactMap { column in
            guard let older = change.origin(of: column.name), older.reference == nil,
                let reference = column.reference,
                let target = new.roots.first(where: { $0.table == reference.table }).flatMap(commonOrigin)
            else { return nil }
            return RowCheck(
                """
                SELECT count(*) FROM \(name: origin.name) WHERE \(name: older.name) IS NOT NULL AND NOT EXISTS \
                (SELECT 1 FROM \(name: target) AS \(name: StoreNames.referred) \
                WHERE \(name: StoreNames.referred).\(name: StoreNames.key) = \(name: origin.name).\(name: older.name))
                """,
                "references of \(origin.name) (\(older.name)) are dangling, which the newer model doesn't allow"
            )
        }
    }

    /// Returns the checks for duplicates of values that must be unique in the newer model.
    private func duplicateChecks(_ change: TableChange) -> [RowCheck] {
        guard let origin = change.origin else { return [] }
        return change.earlyIndexes.filter(\.isUnique).compactMap { index in
            let columns = index.columns.compactMap { change.origin(of: $0.name)?.name }
            let before = origin.indexes.contains { older in
                older.isUnique && Set(older.columns.map(\.name)) == Set(columns)
                    && older.entities == index.entities
            }
            guard !before else { return nil }
            let names = index.columns.map(\.name)
            return duplicateCheck(names, in: origin, index.entities, change)
        }
    }

    private func duplicateCheck(
        _ columns: [String], in origin: TableSchema, _ entities: [Int]?, _ change: TableChange
    ) -> RowCheck? {
        var conditions: [SQLFragment] = change.condition.map { [$0] } ?? []
        if let entities, origin.columns.contains(where: { $0.name == StoreNames.entity }) {
            let numbers = entities.map { "\(number: $0)" as SQLFragment }.joined()
            conditions.append("\(name: StoreNames.entity) IN (\(numbers))")
        }
        let filter: SQLFragment = conditions.isEmpty ? "" : " WHERE \(conditions.joined(by: " AND "))"
        var values: [SQLFragment] = []
        for column in columns {
            // Nulls are never duplicates.
            guard let source = change.sources[column], source != .nothing else { return nil }
            values.append("\(source.fragment) AS \(name: column)")
        }
        let names = columns.map { "\(name: $0)" as SQLFragment }
        let present = names.map { "\($0) IS NOT NULL" as SQLFragment }.joined(by: " AND ")
        return RowCheck(
            """
            SELECT count(*) FROM (SELECT 1 FROM (SELECT \(values.joined()) FROM \(name: origin.name)\(filter)) AS \(name: "rows") \
            WHERE \(present) GROUP BY \(names.joined()) HAVING count(*) > 1) AS \(name: "duplicates")
            """,
            "values of \(change.table.name) (\(columns.joined(separator: ", "))) are not unique, as the newer model requires",
            rule: (
                "unique-on-duplicates",
                new.roots.first { $0.table == change.table.name }?.layout.name ?? change.table.name
            ))
    }

    // MARK: Order

    /// Sets the sources of the columns with the positions of rows among their siblings.
    private func setPositionSources(in change: inout TableChange, of root: EntityMapping) {
        for position in new.positionColumns(of: root.table) {
            change.sources[position] = .nothing
            for entity in new.entities {
                for (slot, collection) in entity.collections {
                    guard case .children(let children) = collection, children.table == root.table,
                        children.position == position
                    else { continue }
                    change.sources[position] = self.position(children, slot, entity, change)
                }
            }
        }
    }

    private func position(
        _ children: CollectionMapping.Children, _ slot: Int, _ entity: EntityMapping, _ change: TableChange
    ) -> ColumnSource {
        let property = entity.layout.properties[slot]
        if let (links, end) = filledLinks(
            property, of: entity.layout.declaringEntity(of: slot, in: new.model))
        {
            // A to-one relationship doesn't store the positions of its inverse.
            if end == .own { return .expression(links.position) }
            return .expression(
                Self.positionExpression(by: links.reference(from: .own), then: "\(name: StoreNames.key)"))
        }
        if case .children(let older)? = olderCollection(slot, of: entity), older.table == change.origin?.name,
            let position = older.position
        {
            return .column(position)
        }
        guard let reference = change.origin(of: children.reference)?.name else { return .nothing }
        return .expression(Self.positionExpression(by: "\(name: reference)", then: "\(name: StoreNames.key)"))
    }

    /// Returns an expression that numbers the rows of each owner in the order of their keys.
    static func positionExpression(by owner: SQLFragment, then key: SQLFragment) -> SQLFragment {
        """
        CASE WHEN \(owner) IS NULL THEN NULL \
        ELSE row_number() OVER (PARTITION BY \(owner) ORDER BY \(key)) * \(number: ListPositions.gap) END
        """
    }

    /// Returns the older storage of a newer relationship.
    func olderCollection(_ slot: Int, of entity: EntityMapping) -> CollectionMapping? {
        olderProperty(slot, of: entity).flatMap { $0.entity.collections[$0.property.slot] }
    }

    func olderProperty(
        _ slot: Int, of entity: EntityMapping
    ) -> (entity: EntityMapping, property: PropertyLayout)? {
        let property = entity.layout.properties[slot]
        let declaring = entity.layout.declaringEntity(of: slot, in: new.model)
        // A new abstract entity may have been inserted above those that had the relationship.
        for index in [entity.layout.index] + entity.layout.familyIndices {
            guard let older = origin(of: new.entities[index]),
                let found = matching.property(property.name, of: declaring, from: older.layout, in: old.model)
            else { continue }
            return (older, found)
        }
        return nil
    }

    /// A newer entity and its older entity.
    struct Pair {
        let new: EntityMapping
        let old: EntityMapping
    }
}
