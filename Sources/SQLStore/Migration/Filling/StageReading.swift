import ContextCore

/// Reads the older objects that a stage is asked about, batch by batch, with what they are related to.
struct StageReading {
    private let mapping: StoreMapping
    private let sources: [Source]
    private let dialect: SQLDialect
    /// The relationships that the stage reads or fills.
    private let names: Set<String>

    /// One entity's rows, and what is read with them.
    private struct Source {
        let place: FillSource
        let rows: OlderRows
        let relationships: [String: RelatedReading]
    }

    /// - Parameter entity: The newer entity whose older rows are read.
    /// - Throws: `StoreError.Code.migrationRefused` where there is no relationship that the stage reads.
    init(_ stage: MigrationStage, _ entity: EntityMapping, _ schema: SchemaTransition) throws(StoreError) {
        let old = schema.old
        mapping = old
        dialect = schema.spelling.dialect
        // What a relationship led to is what it goes on leading to where the stage says nothing else.
        let filled = schema.filledRelationships(of: stage)
        names = Set(stage.relationships).union(filled)
        sources = schema.sources(of: entity).map { [names] place in
            let older = old.entities[place.index]
            let readings = names.compactMap { name in
                // What is filled has its newer name, and may have had another.
                let olderName =
                    filled.contains(name)
                    ? schema.matching.property(name, of: entity.layout, from: older.layout, in: old.model)?
                        .name
                    : name
                return olderName.flatMap { RelatedReading($0, of: older, in: old) }.map { (name, $0) }
            }
            return Source(
                place: place, rows: OlderRows(old, place),
                relationships: Dictionary(uniqueKeysWithValues: readings))
        }
        for name in stage.relationships
        where !sources.contains(where: { $0.relationships[name] != nil }) {
            throw StoreError(
                .migrationRefused,
                "The older model has no relationship “\(name)” that a stage of \(stage.entityName) reads.",
                remedy: "Correct the stage; nothing was changed.")
        }
    }

    /// The next objects, in the order of their keys; none where none are left.
    ///
    /// - Parameter limit: How many there are at most; fewer than were read where they are related to very many.
    func objects(
        after cursor: Int64?, limit: Int, _ connection: any MigrationConnection
    ) throws -> (objects: [MigratingObject], readCount: Int) {
        var found: [(object: OlderObject, source: Source)] = []
        for source in sources {
            found += try rows(of: source, after: cursor, limit, connection).map { ($0, source) }
        }
        found.sort { $0.object.key < $1.object.key }
        found = Array(found.prefix(limit))
        let readCount = found.count
        var answers: [RelatedReading: RelatedReading.Answer] = [:]
        for reading in Set(found.flatMap(\.source.relationships.values)) where !found.isEmpty {
            let answer = try reading.answer(found.map(\.object.key), connection)
            found.removeLast(found.count - answer.complete)
            answers[reading] = answer
        }
        let objects = found.map { object, source in
            var related = source.relationships.mapValues { answers[$0]?.members[object.key] ?? [] }
            // What an object of its older entity could not lead to, it led nowhere by.
            for name in names where related[name] == nil { related[name] = [] }
            return MigratingObject(object, related: related)
        }
        return (objects, readCount)
    }

    /// The questions of a batch, with placeholders for values.
    func texts(limit: Int) throws(StoreError) -> [String] {
        var texts: [String] = []
        for source in sources {
            texts.append(try question(source, after: 0, limit).sql)
            for (_, reading) in source.relationships.sorted(by: { $0.key < $1.key }) {
                let text = reading.question([0], limit: RelatedReading.mostRows, dialect).sql
                if !texts.contains(text) { texts.append(text) }
            }
        }
        return texts
    }

    private func rows(
        of source: Source, after cursor: Int64?, _ limit: Int, _ connection: any MigrationConnection
    ) throws(StoreError) -> [OlderObject] {
        try connection.rows(question(source, after: cursor, limit), source.rows.types).compactMap(
            source.rows.object)
    }

    private func question(_ source: Source, after cursor: Int64?, _ limit: Int) throws(StoreError) -> SQLText
    {
        let scope = RowsScope(
            mapping, source.place.index, includesSubentities: source.place.includesSubentities)
        let key = SQLExpression.column(of: scope.alias, StoreNames.key)
        if let cursor {
            scope.query.require(.comparison(key, .greater, .binding(.value(.int(cursor), .key))))
        }
        var select = scope.query.select(source.rows.expressions(of: scope.alias))
        select.order = [.init(key)]
        select.limit = .rows(limit)
        return SQLText(try SQLRenderer(dialect).fragment(select), dialect)
    }
}
