import ContextCore

/// Gives attributes of one entity's rows values that the database works out, batch by batch.
struct RowFilling: BatchFilling {
    private let fill: MigrationStep.Fill
    private let spelling: MigrationDialect
    /// Where the older rows are, or the newer ones where the store derives of them.
    private let reading: StoreMapping
    private let sources: [FillSource]
    private let writing: FillWriting
    private let targets: [Target]
    /// Whether something that is worked out may be too much for its attribute, or equal to what must be unique.
    let mayFail: Bool

    /// An attribute that gets a value.
    private struct Target {
        let attribute: FillTarget
        /// What it is worked out of.
        let value: FetchExpression
        let finish: @Sendable (StoredValue) -> StoredValue
    }

    /// - Parameter schema: What becomes of the tables, with the numbers of the rows that are read.
    /// - Throws: What is wrong with an expression.
    init(_ fill: MigrationStep.Fill, _ schema: SchemaTransition) throws {
        self.fill = fill
        spelling = schema.spelling
        let isDerived = !fill.derived.isEmpty
        let entity = try schema.filledEntity(fill)
        reading = isDerived ? schema.new : schema.old
        let table = schema.filledTable(of: entity, isDerived: isDerived)
        writing = FillWriting(table: table, dialect: spelling.dialect)
        sources =
            isDerived
            ? [FillSource(index: entity.layout.index, includesSubentities: true)]
            : schema.sources(of: entity)
        let names = fill.derived + fill.conversions.keys.sorted { $0.precedes($1) }
        targets = try names.map { try Self.target($0, fill, entity) }
        let unique = schema.table(named: table).indexes.filter(\.isUnique).flatMap(\.columns).map(\.name)
        mayFail = targets.contains { target in
            if case .derived(.sum)? = target.attribute.property.attribute?.storage { return true }
            return target.attribute.columnNames.contains(where: unique.contains)
        }
    }

    private static func target(
        _ name: String, _ fill: MigrationStep.Fill, _ entity: EntityMapping
    ) throws -> Target {
        if let text = fill.conversions[name] {
            let attribute = try FillTarget(name, of: entity, prefix: SchemaTransition.pending)
            return Target(attribute: attribute, value: try FetchExpression(text), finish: { $0 })
        }
        let attribute = try FillTarget(name, of: entity, prefix: "")
        guard case .derived(let derivation)? = attribute.property.attribute?.storage else {
            throw StoreError(
                .migrationRefused, "Nobody says how \(fill.entityName).\(name) is worked out.")
        }
        let (value, finish) = derivation.expression
        return Target(attribute: attribute, value: value, finish: finish)
    }

    /// Compiles what values are worked out of, for the sake of what is wrong with it.
    func check() throws {
        for source in sources { _ = try compiled(source) }
    }

    /// The statements of a batch, with placeholders for values: those that read rows, and the one that is run for each row.
    func texts() throws -> [String] {
        let blank = [StoredValue](repeating: .null, count: targets.count + 1)
        return try sources.map { try question($0, after: 0).text.sql } + [update([.int(0)] + blank).sql]
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
        var rows: [[StoredValue]] = []
        for source in sources {
            let (text, types) = try question(source, after: cursor)
            rows += try connection.rows(text, types)
        }
        rows.sort { $0[0].number < $1[0].number }
        let batch = rows.prefix(fill.batchSize)
        for row in batch { try connection.run(update(row)) }
        guard fill.isLive else { return (batch.count, batch.last.map { Int64($0[0].number) }) }
        let isFull = batch.count == fill.batchSize
        if cursor == Self.end { return (batch.count, isFull ? Self.end : nil) }
        return (batch.count, isFull ? batch.last.map { Int64($0[0].number) } : Self.end)
    }

    /// Gives all rows their values.
    func takeAll(_ connection: any MigrationConnection) throws {
        var cursor: Int64?
        repeat { cursor = try takeBatch(after: cursor, connection).last } while cursor != nil
    }

    // MARK: Reading

    private static let versionType = SQLType.integer(bits: 64)

    private func compiled(_ source: FillSource) throws -> (RowsScope, [TypedSQL]) {
        let checker = RequestChecker(reading.entities[source.index].layout, in: reading.model)
        let scope = RowsScope(reading, source.index, includesSubentities: source.includesSubentities)
        return (scope, try targets.map { try scope.compiler.value(checker.expression($0.value)) })
    }

    /// Asks for the next rows: keys, versions, and the values.
    private func question(
        _ source: FillSource, after cursor: Int64?
    ) throws -> (text: SQLText, types: [SQLType]) {
        let (scope, values) = try compiled(source)
        let key = SQLExpression.column(of: scope.alias, StoreNames.key)
        let version = SQLExpression.column(of: scope.alias, StoreNames.version)
        if fill.isLive, cursor == Self.end {
            let filled = SQLExpression.column(of: scope.alias, SchemaTransition.filledVersion)
            scope.query.require(.comparison(filled, .different, version))
        } else if let cursor {
            scope.query.require(.comparison(key, .greater, .binding(.value(.int(cursor), .key))))
        }
        var select = scope.query.select([key, version] + values.map(\.sql))
        select.order = [.init(key)]
        select.limit = .rows(fill.batchSize)
        let dialect = spelling.dialect
        return (
            SQLText(try SQLRenderer(dialect).fragment(select), dialect),
            [.key, Self.versionType] + values.map(\.type)
        )
    }

    // MARK: Writing

    /// The version is the one that the values were worked out of, which may not be the row's any more.
    private func update(_ row: [StoredValue]) throws(StoreError) -> SQLText {
        var assignments: [SQLFragment] = []
        for (target, value) in zip(targets, row.dropFirst(2)) {
            assignments += try target.attribute.assignments(target.finish(value))
        }
        if fill.isLive {
            assignments.append(
                "\(name: SchemaTransition.filledVersion) = \(.value(row[1], Self.versionType))")
        }
        return writing.update(assignments, ofRow: Int64(row[0].number))
    }
}

extension SchemaTransition {
    /// The newer entity whose rows a step fills.
    func filledEntity(_ fill: MigrationStep.Fill) throws(StoreError) -> EntityMapping {
        guard let layout = new.model.layout(named: fill.entityName) else {
            throw StoreError(.unknownProperty, "The newer model has no entity “\(fill.entityName)”.")
        }
        return new.entities[layout.index]
    }
}
