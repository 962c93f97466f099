import ContextCore

/// Runs the program's stage on the rows of one entity, batch by batch.
struct StageBackfill: Backfill {
    private let stage: MigrationStage
    private let reading: StageObjectReader
    private let writing: BackfillWriter
    private let targets: [BackfillTarget]
    private let links: [LinkBackfill]
    private var limit: BatchLimit

    /// - Parameter schema: The changes of the tables, with the entity numbers of the rows that are read.
    /// - Throws: `StoreError.Code.migrationUnfinished` if the program doesn't have the stage.
    init(_ fill: MigrationStep.Fill, _ schema: SchemaTransition) throws(StoreError) {
        stage = try schema.transition.stage(of: fill)
        let entity = try schema.filledEntity(fill)
        reading = try StageObjectReader(stage, entity, schema)
        let relationships = schema.filledRelationships(of: stage)
        var targets: [BackfillTarget] = []
        for name in stage.properties where !relationships.contains(name) {
            targets.append(try BackfillTarget(name, of: entity, prefix: SchemaTransition.pending))
        }
        self.targets = targets
        links = schema.pendingLinks.filter {
            $0.entity.layout.index == entity.layout.index && relationships.contains($0.property.name)
        }.map { LinkBackfill($0, schema) }
        writing = BackfillWriter(
            table: schema.filledTable(of: entity, isDerived: false), dialect: schema.migrationDialect.dialect)
        limit = BatchLimit(maximumObjects: fill.batchSize)
    }

    /// Returns the statements of a batch with placeholders: those that read rows and related rows, and those that update each row and
    /// insert its links.
    func texts() throws -> [String] {
        var texts = try reading.texts(limit: limit.objects)
        let assignments = try targets.flatMap { try $0.assignments(.null) }
        if !assignments.isEmpty { texts.append(writing.update(assignments, ofRow: 0).sql) }
        return texts + links.map { $0.insertion([.init(owner: 0, target: 0, ordinal: 1)]).sql }
    }

    mutating func fillNextBatch(
        after cursor: Int64?, _ connection: any MigrationConnection
    ) throws -> (count: Int, last: Int64?) {
        let start = ContinuousClock.now
        let (objects, readCount) = try reading.objects(after: cursor, limit: limit.objects, connection)
        if objects.isEmpty { return (0, nil) }
        // A stage is the program's code and may take longer than the server's idle timeout.
        if let disableIdleTimeout = connection.migrationDialect.disableIdleTimeout {
            try connection.execute(disableIdleTimeout)
        }
        var filled: [MigratingObject] = []
        for var object in objects {
            try stage.transform(&object)
            try write(object, connection)
            filled.append(object)
            // Other writers wait for this transaction.
            if start.duration(to: .now) >= BatchLimit.timeLimit { break }
        }
        for links in links { try links.write(filled, connection) }
        limit.adjust(filled.count, of: readCount, in: start.duration(to: .now))
        return (filled.count, filled.last?.key)
    }

    private func write(
        _ object: MigratingObject, _ connection: any MigrationConnection
    ) throws(StoreError) {
        var assignments: [SQLFragment] = []
        for target in targets { assignments += try target.assignments(object[target.property.name]) }
        if !assignments.isEmpty { try connection.run(writing.update(assignments, ofRow: object.key)) }
    }
}
