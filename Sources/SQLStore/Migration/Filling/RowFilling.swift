import ContextCore

/// Gives attributes of one entity's rows values that the database works out, batch by batch.
struct RowFilling: BatchFilling {
    private let fill: MigrationStep.Fill
    private let spelling: MigrationDialect
    /// Where the older rows are, or the newer ones where the store derives of them.
    private let reading: StoreMapping
    private let sources: [FillSource]
    private let writing: FillWriting
    let targets: [Target]
    /// Whether something that is worked out may be too much for its attribute, or equal to what must be unique.
    let mayFail: Bool

    /// An attribute that gets a value.
    struct Target {
        fileprivate let attribute: FillTarget
        /// What it is worked out of.
        let source: FetchExpression
        /// What becomes of the database's answer where the store derives the attribute; nil where a conversion fills it.
        fileprivate let derivation: (@Sendable (StoredValue) -> StoredValue)?

        var path: String { attribute.path }
        var name: String { attribute.property.name }
    }

    /// A row that was read, with what is worked out for each target.
    struct WorkedRow {
        let key: Int64
        let version: StoredValue
        let values: [Result<StoredValue, ConversionProblem>]
    }

    /// The query for the rows of one source.
    private struct Query {
        let scope: RowsScope
        var columns: [TypedSQL] = []
        /// What is made of the columns, in their order, for each target.
        var values: [Value] = []
    }

    /// How a target's value follows from the query's columns.
    private enum Value {
        /// From one column, where the store derives the attribute.
        case derivation(@Sendable (StoredValue) -> StoredValue)
        case conversion(Conversion)

        /// Takes the columns that it needs off an answer, and works the value out.
        func taken(from answer: inout ArraySlice<StoredValue>) -> Result<StoredValue, ConversionProblem> {
            switch self {
            case .derivation(let finish): return .success(finish(answer.removeFirst()))
            case .conversion(let conversion):
                let inputs = answer.prefix(conversion.inputs.count)
                answer.removeFirst(inputs.count)
                return Result { () throws(ConversionProblem) in try conversion.value(of: Array(inputs)) }
            }
        }
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
            return Target(attribute: attribute, source: try FetchExpression(text), derivation: nil)
        }
        let attribute = try FillTarget(name, of: entity, prefix: "")
        guard case .derived(let derivation)? = attribute.property.attribute?.storage else {
            throw StoreError(
                .migrationRefused, "Nobody says how \(fill.entityName).\(name) is worked out.")
        }
        let (source, finish) = derivation.expression
        return Target(attribute: attribute, source: source, derivation: finish)
    }

    /// Whether a conversion may work out what its attribute can't keep: not where texts are filled, which keep the text of any value.
    var mayMeetProblems: Bool {
        targets.contains { $0.derivation == nil && $0.attribute.type != .string }
    }

    /// Compiles what values are worked out of, for the sake of what is wrong with it.
    func check() throws {
        for source in sources { _ = try query(source) }
    }

    /// The statements of a batch, with placeholders for values: those that read rows, and the one that is run for each row.
    func texts() throws -> [String] {
        let blank = WorkedRow(
            key: 0, version: .null, values: Array(repeating: .success(.null), count: targets.count))
        return try sources.map { try text(of: query($0), after: 0).sql } + [update(blank).sql]
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
        let batch = try rows(after: cursor, connection)
        for row in batch { try connection.run(update(row)) }
        guard fill.isLive else { return (batch.count, batch.last?.key) }
        let isFull = batch.count == fill.batchSize
        if cursor == Self.end { return (batch.count, isFull ? Self.end : nil) }
        return (batch.count, isFull ? batch.last?.key : Self.end)
    }

    /// Gives all rows their values.
    func takeAll(_ connection: any MigrationConnection) throws {
        var cursor: Int64?
        repeat { cursor = try takeBatch(after: cursor, connection).last } while cursor != nil
    }

    // MARK: Reading

    private static let versionType = SQLType.integer(bits: 64)

    /// Reads the next rows of all sources in the order of their keys, and works their values out; writes nothing.
    func rows(after cursor: Int64?, _ connection: any MigrationConnection) throws -> [WorkedRow] {
        var rows: [WorkedRow] = []
        for source in sources {
            let query = try query(source)
            let types = [.key, Self.versionType] + query.columns.map(\.type)
            rows += try connection.rows(text(of: query, after: cursor), types).map { row in
                var answer = row.dropFirst(2)
                return WorkedRow(
                    key: Int64(row[0].number), version: row[1],
                    values: query.values.map { $0.taken(from: &answer) })
            }
        }
        rows.sort { $0.key < $1.key }
        return Array(rows.prefix(fill.batchSize))
    }

    /// Reads values of the first rows of all sources, by the keys of the rows.
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
            let text = SQLText(try SQLRenderer(spelling.dialect).fragment(select), spelling.dialect)
            for row in try connection.rows(text, [.key] + columns.map(\.type)) {
                values[Int64(row[0].number)] = Array(row.dropFirst())
            }
        }
        return values
    }

    private func query(_ source: FillSource) throws -> Query {
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

    /// Asks for the next rows: keys, versions, and the columns.
    private func text(of query: Query, after cursor: Int64?) throws -> SQLText {
        let scope = query.scope
        let key = SQLExpression.column(of: scope.alias, StoreNames.key)
        let version = SQLExpression.column(of: scope.alias, StoreNames.version)
        if fill.isLive, cursor == Self.end {
            let filled = SQLExpression.column(of: scope.alias, SchemaTransition.filledVersion)
            scope.query.require(.comparison(filled, .different, version))
        } else if let cursor {
            scope.query.require(.comparison(key, .greater, .binding(.value(.int(cursor), .key))))
        }
        var select = scope.query.select([key, version] + query.columns.map(\.sql))
        select.order = [.init(key)]
        select.limit = .rows(fill.batchSize)
        let dialect = spelling.dialect
        return SQLText(try SQLRenderer(dialect).fragment(select), dialect)
    }

    // MARK: Writing

    /// The version is the one that the values were worked out of, which may not be the row's any more.
    private func update(_ row: WorkedRow) throws(StoreError) -> SQLText {
        var assignments: [SQLFragment] = []
        for (target, value) in zip(targets, row.values) {
            switch value {
            case .success(let value): assignments += try target.attribute.assignments(value)
            case .failure(let problem): throw target.attribute.refusal(problem, ofRow: row.key)
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
    /// The newer entity whose rows a step fills.
    func filledEntity(_ fill: MigrationStep.Fill) throws(StoreError) -> EntityMapping {
        guard let layout = new.model.layout(named: fill.entityName) else {
            throw StoreError(.unknownProperty, "The newer model has no entity “\(fill.entityName)”.")
        }
        return new.entities[layout.index]
    }
}
