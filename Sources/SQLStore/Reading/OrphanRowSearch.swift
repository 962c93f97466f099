package import ContextCore

/// Finds orphan links and external values, which belong to no object's row.
package struct OrphanRowSearch {
    /// Runs a query whose result columns are integers that are not null, and returns the columns.
    typealias Query = (SQLText, _ columns: Int) throws(StoreError) -> [[Int64]]

    /// The number of keys per statement.
    private static let chunk = 500

    private let mapping: StoreMapping
    private let dialect: SQLDialect
    private var model: ObjectModel { mapping.model }

    package init(_ mapping: StoreMapping, _ dialect: SQLDialect) {
        self.mapping = mapping
        self.dialect = dialect
    }

    // MARK: Links

    /// Finds links whose two objects are both missing.
    func links(limit: Int, _ query: Query) throws(StoreError) -> [OrphanLink] {
        var found: [OrphanLink] = []
        for layout in model.layouts {
            for property in layout.properties where found.count < limit {
                guard let relationship = property.relationship, relationship.sourceIndex == layout.index,
                    relationship.isManyToMany,
                    relationship.isLinkOwner(in: model, slot: property.slot),
                    case .links(let links)? = mapping.entities[layout.index].collections[property.slot]
                else { continue }
                let ends = try query(text(of: links, relationship, property.slot, limit - found.count), 2)
                found += zip(ends[0], ends[1]).map { owner, target in
                    OrphanLink(
                        entityIndex: layout.index, slot: property.slot,
                        link: RelatedRows.Link(owner: owner, target: target))
                }
            }
        }
        return found
    }

    /// Returns the query for orphan links; a relationship that is its own inverse has two rows per link.
    private func text(
        of links: CollectionMapping.Links, _ relationship: RelationshipLayout, _ slot: Int, _ limit: Int
    ) -> SQLText {
        let (owners, targets) = (
            mapping.entities[relationship.sourceIndex].table,
            mapping.entities[relationship.destinationIndex].table
        )
        var isAlone = isMissing(in: targets, "l.\(name: links.target)")
        if relationship.inverseSlot == slot, relationship.sourceIndex == relationship.destinationIndex {
            isAlone = """
                (\(isAlone) OR NOT EXISTS (SELECT 1 FROM \(stored: links.table) AS o \
                WHERE o.\(name: links.owner) = l.\(name: links.target) AND o.\(name: links.target) = l.\(name: links.owner)))
                """
        }
        return text(
            """
            SELECT l.\(name: links.owner), l.\(name: links.target) FROM \(stored: links.table) AS l \
            WHERE \(isMissing(in: owners, "l.\(name: links.owner)")) AND \(isAlone) \
            ORDER BY 1, 2 LIMIT \(number: limit)
            """)
    }

    private func isMissing(in table: String, _ key: SQLFragment) -> SQLFragment {
        "NOT EXISTS (SELECT 1 FROM \(stored: table) AS r WHERE r.\(name: StoreNames.key) = \(key))"
    }

    // MARK: Values

    /// Finds external values that are inconsistent with their rows.
    func externalValueMismatches(limit: Int, _ query: Query) throws(StoreError)
        -> [ExternalValueMismatch]
    {
        var found: [ExternalValueMismatch] = []
        for value in values where found.count < limit {
            let strays = try query(ownerlessQuery(value, limit - found.count), 1)
            found += strays[0].map {
                ExternalValueMismatch(
                    .ownerless, entityIndex: value.declaring.index, key: $0, slot: value.slot)
            }
            if found.count >= limit { break }
            let columns = try query(mismatchQuery(value, limit - found.count), 3)
            for (row, key) in columns[0].enumerated() {
                let (number, kind) = (Int(columns[1][row]), Int(columns[2][row]))
                guard let kind = ExternalValueMismatch.Kind(rawValue: kind) else { continue }
                let entity = value.entity.hasEntityColumn ? mapping.entity(number: number) : nil
                found.append(
                    ExternalValueMismatch(
                        kind, entityIndex: (entity ?? value.entity).layout.index, key: key, slot: value.slot))
            }
        }
        return found
    }

    /// An attribute whose values may be stored outside of their row.
    private struct Value {
        /// The entity that declares the attribute.
        let entity: EntityMapping
        let slot: Int
        let column: String
        let external: ExternalColumn
        var declaring: EntityLayout { entity.layout }
    }

    /// All attributes whose values may be stored outside of their row, without duplicates.
    private var values: [Value] {
        mapping.entities.flatMap { entity in
            entity.externalColumns(among: entity.columns.indices).compactMap { column in
                let slot = entity.layout.columns[column].slot
                guard let external = entity.columns[column].external,
                    entity.layout.declaringEntity(of: slot, in: model).index == entity.layout.index
                else { return nil }
                return Value(
                    entity: entity, slot: slot, column: entity.columns[column].name, external: external)
            }
        }
    }

    /// Returns the condition that a row belongs to an entity with the attribute.
    private func isOwn(_ value: Value) -> SQLFragment {
        guard value.entity.hasEntityColumn else { return "1 = 1" }
        let numbers = value.declaring.familyIndices
            .map { "\(number: mapping.entities[$0].number)" as SQLFragment }.joined()
        return "r.\(name: StoreNames.entity) IN (\(numbers))"
    }

    private func ownerlessQuery(_ value: Value, _ limit: Int) -> SQLText {
        text(
            """
            SELECT v.\(name: StoreNames.owner) FROM \(stored: value.external.table) AS v \
            WHERE NOT EXISTS (SELECT 1 FROM \(stored: value.entity.table) AS r \
            WHERE r.\(name: StoreNames.key) = v.\(name: StoreNames.owner) AND \(isOwn(value))) \
            ORDER BY 1 LIMIT \(number: limit)
            """)
    }

    /// Returns the query for the key, entity number and kind of each inconsistency.
    private func mismatchQuery(_ value: Value, _ limit: Int) -> SQLText {
        let stamp: SQLFragment = "r.\(name: value.external.stamp)"
        let owner: SQLFragment = "v.\(name: StoreNames.owner)"
        let entity: SQLFragment = value.entity.hasEntityColumn ? "r.\(name: StoreNames.entity)" : "0"
        return text(
            """
            SELECT r.\(name: StoreNames.key), \(entity), CASE \
            WHEN r.\(name: value.column) IS NOT NULL THEN \(kind: .leftover) \
            WHEN \(owner) IS NULL THEN \(kind: .missing) WHEN \(stamp) IS NULL THEN \(kind: .unnamed) \
            ELSE \(kind: .stamp) END \
            FROM \(stored: value.entity.table) AS r LEFT JOIN \(stored: value.external.table) AS v \
            ON \(owner) = r.\(name: StoreNames.key) \
            WHERE \(isOwn(value)) AND (\(stamp) IS NOT NULL OR \(owner) IS NOT NULL) \
            AND (r.\(name: value.column) IS NOT NULL OR \(owner) IS NULL OR \(stamp) IS NULL \
            OR \(stamp) <> v.\(name: StoreNames.stamp)) ORDER BY 1 LIMIT \(number: limit)
            """)
    }

    // MARK: Resolving

    /// Returns the statements that repair inconsistencies without changing the value of a property.
    package func repairStatements(for faults: [ExternalValueMismatch]) -> [SQLText] {
        values.flatMap { value in
            let own = faults.filter { fault in
                fault.slot == value.slot
                    && model.layouts[fault.entityIndex].declaringEntity(of: fault.slot, in: model).index
                        == value.declaring.index
            }
            return ExternalValueMismatch.Kind.allCases.flatMap { kind in
                let keys = own.filter { $0.kind == kind }.map(\.key).sorted()
                return keys.chunks(ofCount: Self.chunk).flatMap { repairStatements(of: kind, value, $0) }
            }
        }
    }

    private func repairStatements(
        of kind: ExternalValueMismatch.Kind, _ value: Value, _ keys: ArraySlice<Int64>
    ) -> [SQLText] {
        let texts = RowStatements(dialect)
        let isAmong: SQLFragment = "IN (\(keys.map { "\(number: $0)" as SQLFragment }.joined()))"
        return switch kind {
        case .ownerless: [texts.removal(of: value.external, where: isAmong)]
        case .missing, .unnamed: []
        case .stamp: [stampRepair(value, isAmong)]
        case .leftover:
            [
                texts.stampRemoval(value.external, of: value.entity, where: isAmong),
                texts.removal(of: value.external, where: isAmong),
            ]
        }
    }

    private func stampRepair(_ value: Value, _ isAmong: SQLFragment) -> SQLText {
        text(
            """
            UPDATE \(stored: value.entity.table) SET \(name: value.external.stamp) = (SELECT \(name: StoreNames.stamp) \
            FROM \(stored: value.external.table) WHERE \(name: StoreNames.owner) = \(name: StoreNames.key)) \
            WHERE \(name: StoreNames.key) \(isAmong)
            """)
    }

    private func text(_ fragment: SQLFragment) -> SQLText { SQLText(fragment, dialect) }
}

extension SQLFragment.StringInterpolation {
    fileprivate mutating func appendInterpolation(kind: ExternalValueMismatch.Kind) {
        appendInterpolation(number: kind.rawValue)
    }
}
