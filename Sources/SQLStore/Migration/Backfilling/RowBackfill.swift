import ContextCore

/// Backfills attributes of one entity's rows with values that the database computes, batch by batch.
struct RowBackfill: Backfill {
    private let fill: MigrationStep.Fill
    private let migrationDialect: MigrationDialect
    /// The mapping of the older rows, or of the newer rows if the store derives the values.
    private let reading: StoreMapping
    private let sources: [BackfillSource]
    private let writing: BackfillWriter
    let targets: [Target]
    /// Whether a value may overflow its attribute or violate a unique constraint.
    let mayFail: Bool

    /// An attribute to backfill.
    struct Target {
        fileprivate let attribute: BackfillTarget
        /// The expression that computes the value.
        let source: FetchExpression
        /// Converts the computed value to that of a derived attribute; nil for a conversion.
        fileprivate let derivation: (@Sendable (StoredValue) -> StoredValue)?

        var path: String { attribute.path }
        var name: String { attribute.property.name }
    }

    /// A row and the value of each target.
    struct ComputedRow {
        let key: Int64
        let version: StoredValue
        let values: [Result<StoredValue, ConversionProblem>]
    }

    /// The query for the rows of one source.
    private struct Query {
        let scope: RowsScope
        var columns: [TypedSQL] = []
        /// How each target's value is computed from the columns, in their order.
        var values: [Value] = []
    }

    /// How a target's value is computed from the query's columns.
    private enum Value {
        /// From one column, for a derived attribute.
        case derivation(@Sendable (StoredValue) -> StoredValue)
        case conversion(Conversion)

        /// Removes this value's columns from a result row and computes the value.
        func consume(_ result: inout ArraySlice<StoredValue>) -> Result<StoredValue, ConversionProblem> {
            switch self {
            case .derivation(let finish): return .success(finish(result.removeFirst()))
            case .conversion(let conversion):
                let inputs = result.prefix(conversion.inputs.count)
                result.removeFirst(inputs.count)
                return Result { () throws(ConversionProblem) in try conversion.value(of: Array(inputs)) }
            }
        }
    }

    /// - Parameter schema: The changes of the tables, with the entity numbers of the rows that are read.
    /// - Throws: An error if an expression is invalid.
    init(_ fill: MigrationStep.Fill, _ schema: SchemaTransition) throws {
        self.fill = fill
        migrationDialect = schema.migrationDialect
        let isDerived = !fill.derived.isEmpty
        let entity = try schema.filledEntity(fill)
        reading = isDerived ? schema.new : schema.old
        let table = schema.filledTable(of: entity, isDerived: isDerived)
        writing = BackfillWriter(table: table, dialect: migrationDialect.dialect)
        sources =
            isDerived
            ? [BackfillSource(index: entity.layout.index, includesSubentities: true)]
            : schema.sources(of: entity)
        let names = fill.derived + fill.conversions.keys.sorted { $0.precedesByBytes($1) }
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
            let attribute = try BackfillTarget(name, of: entity, prefix: SchemaTransition.pending)
            return Target(attribute: attribute, source: try FetchExpression(text), derivation: nil)
        }
        let attribute = try BackfillTarget(name, of: entity, prefix: "")
        guard case .derived(let derivation)? = attribute.property.attribute?.storage else {
            throw StoreError(
                .migrationRefused, "\(fill.entityName).\(name) is neither derived nor converted.",
                remedy: "This is a bug in the library. Please report it.")
        }
        let (source, finish) = derivation.expression
        return Target(attribute: attribute, source: source, derivation: finish)
    }

    /// Whether a conversion may compute a value that its attribute can't store; a text attribute stores any value as text.
    var mayHaveConversionProblems: Bool {
        targets.contains { $0.derivation == nil && $0.attribute.type != .string }
    }

    /// Compiles the expressions and throws if one is invalid.
    func check() throws {
        for source in sources { _ = try query(source) }
    }

    /// Returns the statements of a batch with placeholders: those that read rows, and the update that is run for each row.
    func texts() throws -> [String] {
        let blank = ComputedRow(
            key: 0, version: .null, values: Array(repeating: .success(.null), count: targets.count))
        return try sources.map { try text(of: query($0), after: 0).sql } + [update(blank).sql]
    }

    /// The cursor after all rows: only rows that other programs have changed since remain to be backfilled.
    static let end = Int64.max

    /// Backfills the next rows and returns their number and the last key, or nil for the key if no rows are left.
    ///
    /// If other programs write at the same time, the first batch that isn't full is followed by the rows whose version has changed
    /// since their values were computed.
    func fillNextBatch(
        after cursor: Int64?, _ connection: any MigrationConnection
    ) throws -> (count: Int, last: Int64?) {
        let batch = try rows(after: cursor, connection)
        for row in batch { try connection.run(update(row)) }
        guard fill.isLive else { return (batch.count, batch.last?.key) }
        let isFull = batch.count == fill.batchSize
        if cursor == Self.end { return (batch.count, isFull ? Self.end : nil) }
        return (batch.count, isFull ? batch.last?.key : Self.end)
    }

    /// Backfills all rows.
    func fillAll(_ connection: any MigrationConnection) throws {
        var cursor: Int64?
        repeat { cursor = try fillNextBatch(after: cursor, connection).last } while cursor != nil
    }

    // MARK: Reading

    private static let versionType = SQLType.integer(bits: 64)

    /// Reads the next rows of all sources in the order of their keys and computes their values, without writing.
    func rows(after cursor: Int64?, _ connection: any MigrationConnection) throws -> [ComputedRow] {
        var rows: [ComputedRow] = []
        for source in sources {
            let query = try query(source)
            let types = [.key, Self.versionType] + query.columns.map(\.type)
            rows += try connection.rows(text(of: query, after: cursor), types).map { row in
                var result = row.dropFirst(2)
                return ComputedRow(
                    key: Int64(row[0].number), version: row[1],
                    values: query.values.map { $0.consume(&result) })
            }
        }
        rows.sort { $0.key < $1.key }
        return Array(rows.prefix(fill.batchSize))
    }

    /// Reads values of the first rows of all sources, by key.
    func readings(
        _ expressions: [FetchExpression], limit: Int, _ connection: any MigrationConnection
    ) throws -> [Int64: [StoredValue]] {
        var values: [Int64: [StoredValue]] = [:]
        for source in sources {
            let checker = RequestChecker(reading.entities[source.index].layout, in: reading.model)
            let scope = RowsScope(reading, source.index, includesSubentities: source.includesSubentities)
            let columns = try expressions.map { try scope.compiler.value(checker.expression($0)) }
            let key = SQLExpression.column(of: scope.alias, StoreNames.key)
            var select = scope.query.select([key] + columns.map(\.sql))
            select.order = [.init(key)]
            select.limit = .rows(limit)
            let text = SQLText(
                try SQLRenderer(migrationDialect.dialect).fragment(select), migrationDialect.dialect)
            for row in try connection.rows(text, [.key] + columns.map(\.type)) {
                values[Int64(row[0].number)] = Array(row.dropFirst())
            }
        }
        return values
    }

    private func query(_ source: BackfillSource) throws -> Query {
        let checker = RequestChecker(reading.entities[source.index].layout, in: reading.model)
        let scope = RowsScope(reading, source.index, includesSubentities: source.includesSubentities)
        var query = Query(scope: scope)
        for target in targets {
            if let finish = target.derivation {
                query.columns.append(try scope.compiler.value(checker.expression(target.source)))
                query.values.append(.derivation(finish))
            } else {
                let conversion = try Conversion(target.source, to: target.attribute.type, checker)
                query.columns += try conversion.inputs.map { try scope.compiler.value($0) }
                query.values.append(.conversion(conversion))
            }
        }
        return query
    }

    /// Returns the query for the next rows: keys, versions, and the columns.
    private func text(of query: Query, after cursor: Int64?) throws -> SQLText {
        let scope = query.scope
        let key = SQLExpression.column(of: scope.alias, StoreNames.key)
        let version = SQLExpression.column(of: scope.alias, StoreNames.version)
        if fill.isLive, cursor == Self.end {
            let filled = SQLExpression.column(of: scope.alias, SchemaTransition.filledVersion)
            scope.query.addCondition(.comparison(filled, .different, version))
        } else if let cursor {
            scope.query.addCondition(.comparison(key, .greater, .binding(.value(.int(cursor), .key))))
        }
        var select = scope.query.select([key, version] + query.columns.map(\.sql))
        select.order = [.init(key)]
        select.limit = .rows(fill.batchSize)
        let dialect = migrationDialect.dialect
        return SQLText(try SQLRenderer(dialect).fragment(select), dialect)
    }

    // MARK: Writing

    /// Returns the update of a row, which stores the version that the values were computed from.
    private func update(_ row: ComputedRow) throws(StoreError) -> SQLText {
        var assignments: [SQLFragment] = []
        for (target, value) in zip(targets, row.values) {
            switch value {
            case .success(let value): assignments += try target.attribute.assignments(value)
            case .failure(let problem): throw target.attribute.refusalError(problem, ofRow: row.key)
            }
        }
        if fill.isLive {
            assignments.append(
                "\(name: SchemaTransition.filledVersion) = \(.value(row.version, Self.versionType))")
        }
        return writing.update(assignments, ofRow: row.key)
    }
}

extension SchemaTransition {
    /// Returns the newer entity whose rows a step fills.
    func filledEntity(_ fill: MigrationStep.Fill) throws(StoreError) -> EntityMapping {
        guard let layout = new.model.layout(named: fill.entityName) else {
            throw StoreError(
                .unknownProperty, "The newer model has no entity “\(fill.entityName)”.",
                remedy: "Correct the name in the migration's conversion or stage.")
        }
        return new.entities[layout.index]
    }
}
