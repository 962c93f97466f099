import ContextCore

/// Gives attributes of one entity's rows their values, batch by batch.
struct RowFilling {
    private let fill: MigrationStep.Fill
    private let spelling: MigrationDialect
    /// Where the older rows are, or the newer ones where the store derives of them.
    private let reading: StoreMapping
    /// The entities whose rows are read, each with all that inherit from it or not.
    private let sources: [(index: Int, includesSubentities: Bool)]
    private let table: String
    private let targets: [Target]
    private let stage: MigrationStage?
    /// Whether something that is worked out may be too much for its attribute, or equal to what must be unique.
    let mayFail: Bool

    /// An attribute that gets a value.
    private struct Target {
        let property: PropertyLayout
        let columns: [(name: String, type: SQLType)]
        /// What it is worked out of.
        let value: FetchExpression?
        let finish: @Sendable (StoredValue) -> StoredValue
    }

    /// - Parameter schema: What becomes of the tables, with the numbers of the rows that are read.
    /// - Throws: `StoreError.Code.migrationUnfinished` where the program lacks the stage that fills them, and what is wrong with
    ///   an expression.
    init(_ fill: MigrationStep.Fill, _ schema: SchemaTransition) throws {
        self.fill = fill
        spelling = schema.spelling
        let isDerived = !fill.derived.isEmpty
        guard let layout = schema.new.model.layout(named: fill.entityName) else {
            throw StoreError(.unknownProperty, "The newer model has no entity “\(fill.entityName)”.")
        }
        let entity = schema.new.entities[layout.index]
        reading = isDerived ? schema.new : schema.old
        table = isDerived ? entity.table : schema.commonOrigin(of: entity) ?? entity.table
        if isDerived {
            sources = [(layout.index, true)]
        } else if let origin = schema.origin(of: entity) {
            sources = [(origin.layout.index, true)]
        } else {
            sources = layout.familyIndices.compactMap { schema.origin(of: schema.new.entities[$0]) }.map {
                ($0.layout.index, false)
            }
        }
        stage = try fill.stage.isEmpty ? nil : schema.transition.stage(of: fill)
        let names = fill.derived + fill.stage + fill.conversions.keys.sorted { $0.precedes($1) }
        targets = try names.map {
            try Self.target($0, fill, entity, isDerived ? "" : SchemaTransition.pending)
        }
        let unique = schema.table(named: table).indexes.filter(\.isUnique).flatMap(\.columns).map(\.name)
        mayFail = targets.contains { target in
            if case .derived(.sum)? = target.property.attribute?.storage { return true }
            return target.columns.contains { unique.contains($0.name) }
        }
    }

    private static func target(
        _ name: String, _ fill: MigrationStep.Fill, _ entity: EntityMapping, _ prefix: String
    ) throws -> Target {
        guard let property = entity.layout.property(named: name), !property.columns.isEmpty else {
            throw StoreError(
                .unknownProperty, "\(fill.entityName) has no attribute “\(name)” that is stored.",
                remedy: "Correct the conversion or the stage.")
        }
        let columns = property.columns.map { (prefix + entity.columns[$0].name, entity.columns[$0].type) }
        if case .derived(let derivation)? = property.attribute?.storage, prefix.isEmpty {
            let (value, finish) = derivation.expression
            return Target(property: property, columns: columns, value: value, finish: finish)
        }
        let value = try fill.conversions[name].map { try FetchExpression($0) }
        return Target(property: property, columns: columns, value: value, finish: { $0 })
    }

    /// Compiles what values are worked out of, for the sake of what is wrong with it.
    func check() throws {
        guard stage == nil else { return }
        for source in sources { _ = try compiled(source) }
    }

    /// The cursor behind all rows, where only those are left that others have changed meanwhile.
    static let end = Int64.max

    /// Gives the next rows their values, and answers how many there were and the key of the last; nil where none are left.
    ///
    /// While others change rows, a batch that isn't full is the last one; from then on those rows are next that have another version than
    /// when their values were worked out.
    func takeBatch(
        after cursor: Int64?, _ connection: any MigrationConnection
    ) throws -> (count: Int, last: Int64?) {
        let batch = try takeRows(after: cursor, connection)
        guard fill.isLive else { return (batch.count, batch.last) }
        if cursor == Self.end { return (batch.count, batch.isFull ? Self.end : nil) }
        return (batch.count, batch.isFull ? batch.last : Self.end)
    }

    /// Gives all rows their values.
    func takeAll(_ connection: any MigrationConnection) throws {
        var cursor: Int64?
        repeat { cursor = try takeBatch(after: cursor, connection).last } while cursor != nil
    }

    /// For how long a stage is asked about one object after the other, while all who want to write wait.
    private static let longest = Duration.milliseconds(500)

    /// Answers also whether there may be more such rows.
    private func takeRows(
        after cursor: Int64?, _ connection: any MigrationConnection
    ) throws -> (count: Int, last: Int64?, isFull: Bool) {
        var rows: [(source: Source, row: [StoredValue])] = []
        for source in sources {
            rows += try self.rows(of: source, after: cursor, connection).map { (source, $0) }
        }
        rows.sort { $0.row[0].number < $1.row[0].number }
        // What a stage does with one object is its own, and may take longer than a connection may be idle.
        if stage != nil, !rows.isEmpty, let waiting = spelling.waiting { try connection.execute(waiting) }
        let end = ContinuousClock.now + Self.longest
        var (count, last) = (0, Int64?.none)
        for (source, row) in rows.prefix(fill.batchSize) {
            let row = try filled(row, of: source)
            try write(row, connection)
            (count, last) = (count + 1, row.key)
            if stage != nil, ContinuousClock.now >= end { break }
        }
        return (count, last, isFull: rows.count >= fill.batchSize || count < rows.count)
    }

    // MARK: Values

    private typealias Source = (index: Int, includesSubentities: Bool)

    private func compiled(_ source: Source) throws -> (RowsScope, [TypedSQL]) {
        let checker = RequestChecker(reading.entities[source.index].layout, in: reading.model)
        let scope = RowsScope(reading, source.index, includesSubentities: source.includesSubentities)
        let values = try targets.map { target in
            guard let value = target.value else {
                throw StoreError(
                    .migrationRefused,
                    "Nobody says how \(fill.entityName).\(target.property.name) is worked out.")
            }
            return try scope.compiler.value(checker.expression(value))
        }
        return (scope, values)
    }

    /// The next rows: keys, versions, and the values themselves or, for a stage, what they are worked out of.
    private func rows(
        of source: Source, after cursor: Int64?, _ connection: any MigrationConnection
    ) throws -> [[StoredValue]] {
        if stage == nil {
            let (scope, values) = try compiled(source)
            return try rows(scope, values.map(\.sql), values.map(\.type), after: cursor, connection)
        }
        let entity = reading.entities[source.index]
        let scope = RowsScope(reading, source.index, includesSubentities: source.includesSubentities)
        let columns = entity.columns.map { SQLExpression.column(of: scope.alias, $0.name) }
        return try rows(scope, columns, entity.columns.map(\.type), after: cursor, connection)
    }

    private func filled(_ row: [StoredValue], of source: Source) throws -> FilledRow {
        let (key, values) = (Int64(row[0].number), row.dropFirst(2))
        guard let stage else {
            return FilledRow(
                key: key, version: row[1],
                values: try zip(targets, values).map { try fitting($0.finish($1), $0) })
        }
        let entity = reading.entities[source.index]
        var object = MigratingObject(
            key: key, entityName: entity.layout.name, old: Self.values(of: entity, Array(values)))
        try stage.transform(&object)
        return FilledRow(
            key: key, version: row[1], values: try targets.map { try fitting(object[$0.property.name], $0) })
    }

    private static func values(of entity: EntityMapping, _ row: [StoredValue]) -> [String: StoredValue] {
        var values: [String: StoredValue] = [:]
        for property in entity.layout.properties where !property.columns.isEmpty {
            let parts = property.columns.map { row[$0] }
            if case .composite? = property.attribute?.type {
                values[property.name] = parts.allSatisfy(\.isNull) ? .null : .composite(parts)
            } else {
                values[property.name] = parts[0]
            }
        }
        return values
    }

    /// Reads keys, versions and some columns.
    private func rows(
        _ scope: RowsScope, _ columns: [SQLExpression], _ types: [SQLType], after cursor: Int64?,
        _ connection: any MigrationConnection
    ) throws(StoreError) -> [[StoredValue]] {
        let key = SQLExpression.column(of: scope.alias, StoreNames.key)
        let version = SQLExpression.column(of: scope.alias, StoreNames.version)
        if fill.isLive, cursor == Self.end {
            let filled = SQLExpression.column(of: scope.alias, SchemaTransition.filledVersion)
            scope.query.require(.comparison(filled, .different, version))
        } else if let cursor {
            scope.query.require(.comparison(key, .greater, .binding(.value(.int(cursor), .key))))
        }
        var select = scope.query.select([key, version] + columns)
        select.order = [.init(key)]
        select.limit = .rows(fill.batchSize)
        let dialect = spelling.dialect
        return try connection.rows(
            SQLText(try SQLRenderer(dialect).fragment(select), dialect), [.key, Self.versionType] + types)
    }

    /// The value as the attribute keeps it.
    private func fitting(_ value: StoredValue, _ target: Target) throws(StoreError) -> StoredValue {
        guard let type = target.property.attribute?.type, let fitting = value.converted(to: type) else {
            throw StoreError(
                .migrationRefused,
                "\(fill.entityName).\(target.property.name) can't keep what is worked out for an object.",
                remedy: "Correct the conversion or the stage.")
        }
        return fitting
    }

    // MARK: Writing

    private static let versionType = SQLType.integer(bits: 64)

    /// A row with what was worked out for it.
    private struct FilledRow {
        let key: Int64
        /// The version that it was worked out of, which may not be the row's any more.
        let version: StoredValue
        let values: [StoredValue]
    }

    private func write(_ row: FilledRow, _ connection: any MigrationConnection) throws(StoreError) {
        var assignments: [SQLFragment] = []
        for (target, value) in zip(targets, row.values) {
            var parts = [value]
            if case .composite(let several) = value { parts = several }
            for (index, column) in target.columns.enumerated() {
                let part = parts.count == target.columns.count ? parts[index] : .null
                assignments.append("\(name: column.name) = \(.value(part, column.type))")
            }
        }
        if fill.isLive {
            assignments.append(
                "\(name: SchemaTransition.filledVersion) = \(.value(row.version, Self.versionType))")
        }
        try connection.run(
            SQLText(
                """
                UPDATE \(name: table) SET \(assignments.joined()) \
                WHERE \(name: StoreNames.key) = \(.value(.int(row.key), .key))
                """, spelling.dialect))
    }
}
