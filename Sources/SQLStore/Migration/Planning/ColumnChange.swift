import ContextCore

/// Determines the source of the values of one newer column that stores an attribute or a reference.
struct ColumnChange {
    /// The source of the values.
    private(set) var source = ColumnSource.nothing
    /// The checks that fail if older rows have no valid value.
    private(set) var checks: [RowCheck] = []
    /// The column added to the older table that a conversion or a stage backfills.
    private(set) var filled: ColumnSchema?
    /// Whether the values are placeholders until the store derives them.
    private(set) var isPlaceholder = false

    private let schema: SchemaTransition
    private let declaring: EntityLayout
    private let column: ColumnLayout
    private let mapped: ColumnMapping
    private let property: PropertyLayout
    private let pairs: [SchemaTransition.Pair]

    /// - Parameters:
    ///   - member: An entity that has the column.
    ///   - pairs: The entities of the table that the older model has.
    /// - Throws: `StoreError.Code.migrationRefused` if the newer type can't hold all values of the older one.
    init(
        _ schema: SchemaTransition, _ column: ColumnLayout, _ mapped: ColumnMapping, in member: EntityMapping,
        _ pairs: [SchemaTransition.Pair]
    ) throws(StoreError) {
        self.schema = schema
        self.column = column
        self.mapped = mapped
        let declaring = member.layout.declaringEntity(of: column.slot, in: schema.new.model)
        self.declaring = declaring
        property = member.layout.properties[column.slot]
        self.pairs = pairs.filter { $0.new.layout.isKind(of: declaring) }
        try find(table: pairs[0].old.table, all: pairs.count)
    }

    private mutating func find(table: String, all count: Int) throws(StoreError) {
        if pairs.isEmpty { return }
        let path = "\(declaring.name).\(property.name)"
        if property.relationship == nil, schema.transition.isFilled(path) {
            let name = SchemaTransition.pending + mapped.name
            filled = ColumnSchema(name, mapped.type, isNullable: true)
            source = .column(name)
            // Rows that the stage doesn't assign keep their older value or get the default.
            if !column.isOptional { addRequiredCheck("\(name: name)", isNullable: true, table) }
            return
        }
        if let (links, end) = schema.filledLinks(property, of: declaring) {
            let reference = links.reference(from: end)
            source = .expression(reference)
            if !column.isOptional { addRequiredCheck(reference, isNullable: true, table) }
            return
        }
        if case .derived? = property.attribute?.storage, !hasSameDerivation {
            // In a shared table the column is nullable, and null in rows of entities without the attribute.
            guard !mapped.isNullable, let placeholder else { return }
            source = .constant(placeholder)
            isPlaceholder = true
            return
        }
        let oldColumnIndices = pairs.map { pair in olderColumnIndex(of: pair) }
        var columns: [ColumnMapping] = []
        for case (let pair, let place?) in zip(pairs, oldColumnIndices)
        where !columns.contains(pair.old.columns[place]) {
            columns.append(pair.old.columns[place])
        }
        if columns.isEmpty,
            let reference = schema.mirroredReference(of: property, in: table, pairs.map(\.old))
        {
            source = .mirrored(reference)
            if !column.isOptional { addRequiredCheck(reference, isNullable: true, table) }
            return
        }
        checks += schema.sharedReferences(of: property, declaring)
        guard try fits(columns) else { return }
        let values = columns.map { value(of: $0) }
        switch columns.count {
        case 0: source = .nothing
        case 1 where columns[0].type == mapped.type: source = .column(columns[0].name)
        case 1: source = .expression(values[0])
        default: source = .expression("coalesce(\(values.joined()))")
        }
        assignDefaults(oldColumnIndices: oldColumnIndices, columns, all: count, table)
    }

    /// Plans the default for rows without a value; without a default, adds a check that no such row exists.
    ///
    /// - Parameters:
    ///   - oldColumnIndices: The index of the older column for each entity.
    ///   - columns: The older columns.
    private mutating func assignDefaults(
        oldColumnIndices: [Int?], _ columns: [ColumnMapping], all count: Int, _ table: String
    ) {
        let isAdded = columns.isEmpty
        // In a shared table a column may be nullable though the attribute is required.
        let isNullable = zip(pairs, oldColumnIndices).contains { pair, place in
            guard let place else { return true }
            let older = pair.old.columns[place]
            return mapped.isNullable || older.external != nil
                ? pair.old.layout.columns[place].isOptional : older.isNullable
        }
        guard isAdded || (isNullable && !column.isOptional) else {
            let entitiesGainingColumn = zip(pairs, oldColumnIndices).filter {
                $1 == nil && !$0.old.layout.isAbstract
            }
            .map(\.0)
            // Values stored outside of their rows move with their table.
            let isInRow = mapped.external == nil && columns.allSatisfy { $0.external == nil }
            if let initial, !entitiesGainingColumn.isEmpty, isInRow {
                assignDefault(initial, to: entitiesGainingColumn)
            }
            return
        }
        if let initial {
            assignDefault(initial, totalPairs: count)
        } else if !column.isOptional {
            let stamps = columns.compactMap(\.external?.stamp)
            addRequiredCheck(isAdded ? nil : source.fragment, isNullable: isNullable, table, stamps)
        }
    }

    /// Returns the index of the older column for one entity, or nil.
    private func olderColumnIndex(of pair: SchemaTransition.Pair) -> Int? {
        guard
            let older = schema.matching.property(
                property.name, of: declaring, from: pair.old.layout, in: schema.old.model)
        else { return nil }
        if let relationship = property.relationship {
            guard let was = older.relationship, let place = older.columns.first else { return nil }
            let destination = schema.new.entities[relationship.destinationIndex]
            let origin = schema.origin(of: destination)?.table ?? schema.commonOrigin(of: destination)
            guard schema.old.entities[was.destinationIndex].table == origin else { return nil }
            return place
        }
        guard older.attribute != nil else { return nil }
        let part = column.name.split(separator: ".").dropFirst().first
        return older.columns.first { index in
            pair.old.layout.columns[index].name.split(separator: ".").dropFirst().first == part
        }
    }

    /// Whether the column can hold all older values; false if a change is undecided, because the plan isn't run then.
    private func fits(_ columns: [ColumnMapping]) throws(StoreError) -> Bool {
        if columns.allSatisfy({ $0.type == mapped.type || $0.type.isWidened(by: mapped.type) }) {
            return true
        }
        if !schema.transition.undecided.isEmpty { return false }
        throw StoreError(
            .migrationRefused,
            "The new type of \(declaring.name).\(property.name) can't hold every value of the old type.",
            remedy: "Choose a type that can, or add a conversion. Nothing was changed.")
    }

    private func value(of old: ColumnMapping) -> SQLFragment {
        old.type == mapped.type
            ? "\(name: old.name)" : schema.migrationDialect.widen("\(name: old.name)", old.type, mapped.type)
    }

    private var hasSameDerivation: Bool {
        !schema.dependsOnBackfill(declaring)
            && pairs.contains { pair in
                schema.matching.property(
                    property.name, of: declaring, from: pair.old.layout, in: schema.old.model)?
                    .attribute?.storage == property.attribute?.storage
            }
    }

    // MARK: Defaults

    /// The default value of the attribute, or nil if it has none.
    private var initial: SQLFragment? {
        guard let attribute = property.attribute, attribute.storage == .stored else { return nil }
        switch attribute.defaultValue {
        case nil: return nil
        case .now: return schema.migrationDialect.currentTime
        case .newUUID: return schema.migrationDialect.newUUID
        case .value(.composite(let parts)):
            let place = property.columns.lowerBound
            let index = declaring.columns.firstIndex { $0.name == column.name }.map { $0 - place }
            return index.flatMap { parts.indices.contains($0) ? parts[$0] : nil }.flatMap(literal)
        case .value(let value): return literal(value)
        }
    }

    /// Any valid value, for a column whose values are derived later.
    private var placeholder: SQLFragment? {
        switch mapped.type {
        case .key, .integer: literal(.int(0))
        case .bool: literal(.bool(false))
        case .double: literal(.double(0))
        case .decimal, .anyDecimal: literal(.decimal(0))
        case .text, .keys: literal(.string(""))
        case .json: literal(.string("null"))
        case .data: literal(.data(.init()))
        case .date: literal(.timestamp(microseconds: 0))
        case .uuid: schema.migrationDialect.newUUID
        }
    }

    private func literal(_ value: StoredValue) -> SQLFragment? {
        schema.migrationDialect.dialect.literal(value, mapped.type)
    }

    private mutating func assignDefault(_ value: SQLFragment, totalPairs count: Int) {
        let isConstant =
            property.attribute?.defaultValue.map { if case .value = $0 { true } else { false } } == true
        let isOfAll = pairs.count == count
        if source == .nothing {
            let given: SQLFragment = isOfAll ? value : "CASE WHEN \(entities) THEN \(value) END"
            source = isConstant && isOfAll ? .constant(given) : .expression(given)
        } else {
            let given: SQLFragment = "coalesce(\(source.fragment), \(value))"
            source = .expression(
                isOfAll ? given : "CASE WHEN \(entities) THEN \(given) ELSE \(source.fragment) END")
        }
    }

    /// Assigns the default to rows of entities that gain an attribute that other entities of the table already had.
    private mutating func assignDefault(
        _ value: SQLFragment, to entitiesGainingColumn: [SchemaTransition.Pair]
    ) {
        let numbers = entitiesGainingColumn.map { "\(number: $0.old.number)" as SQLFragment }.joined()
        source = .expression(
            "CASE WHEN \(name: StoreNames.entity) IN (\(numbers)) THEN \(value) ELSE \(source.fragment) END")
    }

    /// - Parameter stamps: The columns that must also be null if a value isn't stored outside of its row.
    private mutating func addRequiredCheck(
        _ value: SQLFragment?, isNullable: Bool, _ table: String, _ stamps: [String] = []
    ) {
        guard isNullable else { return }
        var conditions: [SQLFragment] = stamps.map { "\(name: $0) IS NULL" }
        if let value { conditions.append("\(value) IS NULL") }
        // Rows of entities that the migration removes don't need a value.
        if pairs[0].old.hasEntityColumn { conditions.append(entities) }
        let filter: SQLFragment = conditions.isEmpty ? "" : " WHERE \(conditions.joined(by: " AND "))"
        checks.append(
            RowCheck(
                "SELECT count(*) FROM \(name: table)\(filter)",
                "objects of \(declaring.name) have no \(column.name), which is required and has no default",
                rule: ("required-on-populated", "\(declaring.name).\(column.name)")))
    }

    /// The condition that selects the rows of the entities that have the column.
    private var entities: SQLFragment {
        let numbers = pairs.map { "\(number: $0.old.number)" as SQLFragment }.joined()
        return "\(name: StoreNames.entity) IN (\(numbers))"
    }
}

extension SchemaTransition {
    /// Returns the older table with the rows of an entity's tree, even if the entity itself is new.
    func commonOrigin(of entity: EntityMapping) -> String? {
        new.entities[entity.layout.rootIndex].layout.familyIndices.lazy
            .compactMap { origin(of: new.entities[$0])?.table }.first
    }
}

extension SQLType {
    /// Whether another type can hold every value of this type.
    fileprivate func isWidened(by other: SQLType) -> Bool {
        switch (self, other) {
        case (.integer(let bits), .integer(let newBits)), (.double(let bits), .double(let newBits)):
            bits <= newBits
        case (.integer(let bits), .double(let newBits)): bits < newBits
        case (.decimal(let precision, let scale), .decimal(let newPrecision, let newScale)):
            newScale >= scale && newPrecision - newScale >= precision - scale
        default: false
        }
    }
}
