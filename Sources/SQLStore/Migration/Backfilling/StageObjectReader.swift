import ContextCore

/// Reads the older objects for a stage in batches, with their related objects.
struct StageObjectReader {
    private let mapping: StoreMapping
    private let sources: [Source]
    private let dialect: SQLDialect
    /// The relationships that the stage reads or fills.
    private let names: Set<String>

    /// The rows of one entity and the relationships that are read with them.
    private struct Source {
        let backfillSource: BackfillSource
        let rows: OlderRows
        let relationships: [String: RelatedObjectReader]
    }

    /// - Parameter entity: The newer entity whose older rows are read.
    /// - Throws: `StoreError.Code.migrationRefused` if the older model lacks a relationship that the stage reads.
    init(_ stage: MigrationStage, _ entity: EntityMapping, _ schema: SchemaTransition) throws(StoreError) {
        let old = schema.old
        mapping = old
        dialect = schema.migrationDialect.dialect
        // A filled relationship keeps its older members unless the stage assigns others.
        let filled = schema.filledRelationships(of: stage)
        names = Set(stage.relationships).union(filled)
        sources = schema.sources(of: entity).map { [names] backfillSource in
            let older = old.entities[backfillSource.index]
            let readings = names.compactMap { name in
                // The stage uses the newer name of a relationship that it fills.
                let olderName =
                    filled.contains(name)
                    ? schema.matching.property(name, of: entity.layout, from: older.layout, in: old.model)?
                        .name
                    : name
                return olderName.flatMap { RelatedObjectReader($0, of: older, in: old) }.map { (name, $0) }
            }
            return Source(
                backfillSource: backfillSource, rows: OlderRows(old, backfillSource),
                relationships: Dictionary(uniqueKeysWithValues: readings))
        }
        for name in stage.relationships
        where !sources.contains(where: { $0.relationships[name] != nil }) {
            throw StoreError(
                .migrationRefused,
                "A stage of \(stage.entityName) reads the relationship “\(name)”, which the older model doesn't have.",
                remedy: "Correct the stage. Nothing was changed.")
        }
    }

    /// Returns the next objects in the order of their keys, and the number that was read.
    ///
    /// - Parameter limit: The maximum number of objects; if they have very many related objects, fewer are returned than were read.
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
        var memberBatches: [RelatedObjectReader: RelatedObjectReader.MemberBatch] = [:]
        for reading in Set(found.flatMap(\.source.relationships.values)) where !found.isEmpty {
            let memberBatch = try reading.memberBatch(found.map(\.object.key), connection)
            found.removeLast(found.count - memberBatch.complete)
            memberBatches[reading] = memberBatch
        }
        let objects = found.map { object, source in
            var related = source.relationships.mapValues { memberBatches[$0]?.members[object.key] ?? [] }
            // A relationship that the object's older entity didn't have has no members.
            for name in names where related[name] == nil { related[name] = [] }
            return MigratingObject(object, related: related)
        }
        return (objects, readCount)
    }

    /// Returns the queries of a batch, with placeholders.
    func texts(limit: Int) throws(StoreError) -> [String] {
        var texts: [String] = []
        for source in sources {
            texts.append(try query(source, after: 0, limit).sql)
            for (_, reading) in source.relationships.sorted(by: { $0.key < $1.key }) {
                let text = reading.query([0], limit: RelatedObjectReader.maximumRows, dialect).sql
                if !texts.contains(text) { texts.append(text) }
            }
        }
        return texts
    }

    private func rows(
        of source: Source, after cursor: Int64?, _ limit: Int, _ connection: any MigrationConnection
    ) throws(StoreError) -> [OlderObject] {
        try connection.rows(query(source, after: cursor, limit), source.rows.types).compactMap(
            source.rows.object)
    }

    private func query(_ source: Source, after cursor: Int64?, _ limit: Int) throws(StoreError) -> SQLText {
        let scope = RowsScope(
            mapping, source.backfillSource.index,
            includesSubentities: source.backfillSource.includesSubentities)
        let key = SQLExpression.column(of: scope.alias, StoreNames.key)
        if let cursor {
            scope.query.addCondition(.comparison(key, .greater, .binding(.value(.int(cursor), .key))))
        }
        var select = scope.query.select(source.rows.expressions(of: scope.alias))
        select.order = [.init(key)]
        select.limit = .rows(limit)
        return SQLText(try SQLRenderer(dialect).fragment(select), dialect)
    }
}
