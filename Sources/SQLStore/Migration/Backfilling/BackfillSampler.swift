package import ContextCore

/// Computes the values that a backfill step would store in its first rows, without writing them.
struct BackfillSampler {
    private let fill: MigrationStep.Fill
    private let schema: SchemaTransition
    private let entity: EntityMapping
    private let connection: any MigrationConnection

    init(
        _ fill: MigrationStep.Fill, _ schema: SchemaTransition, _ connection: any MigrationConnection
    ) throws(StoreError) {
        var few = fill
        few.batchSize = MigrationSample.rowCount
        self.fill = few
        self.schema = schema
        self.connection = connection
        entity = try schema.filledEntity(fill)
    }

    /// Returns a sample for each property that the step fills.
    func samples() throws -> [MigrationSample] {
        fill.stage.isEmpty ? try conversionSamples() : try stageSamples()
    }

    private func objects(of stage: MigrationStage) throws -> [MigratingObject] {
        let reading = try StageObjectReader(stage, entity, schema)
        return try reading.objects(after: nil, limit: MigrationSample.rowCount, connection).objects
    }

    // MARK: Conversions

    private func conversionSamples() throws -> [MigrationSample] {
        let filling = try RowBackfill(fill, schema)
        let rows = try filling.rows(after: nil, connection)
        let nothing = MigrationStage(fill.entityName, filling: []) { _ in }
        let objects = Dictionary(try objects(of: nothing).map { ($0.key, $0) }) { first, _ in first }
        return try filling.targets.enumerated().map { place, target in
            let expressions = target.source.readings
            let read = try filling.readings(expressions, limit: MigrationSample.rowCount, connection)
            return MigrationSample(
                path: target.path, conversion: fill.conversions[target.name],
                rows: rows.compactMap { row in
                    guard let object = objects[row.key] else { return nil }
                    let readings = zip(expressions, read[row.key] ?? []).map {
                        MigrationSample.Reading(path: $0.description, value: $1)
                    }
                    return MigrationSample.Row(
                        entityName: object.entityName, key: row.key, readings: readings,
                        before: older(target.name, object), after: content(row.values[place], target.path))
                })
        }
    }

    private func content(
        _ result: Result<StoredValue, ConversionProblem>, _ path: String
    ) -> MigrationSample.Content {
        switch result {
        case .success(let value): .value(value)
        case .failure(let problem): .problem(problem.sentence(path, "this object"))
        }
    }

    /// Returns the older value of an attribute, or nil if the object had none.
    private func older(_ name: String, _ object: MigratingObject) -> MigrationSample.Content? {
        guard let layout = schema.old.model.layout(named: object.entityName),
            let property = schema.matching.property(
                name, of: entity.layout, from: layout, in: schema.old.model),
            property.attribute != nil
        else { return nil }
        return object.old[property.name].map { .value($0) }
    }

    /// Returns the older members of a relationship, or nil if the entity didn't have it.
    private func olderKeys(_ name: String, _ object: MigratingObject) -> MigrationSample.Content? {
        guard let property = entity.layout.property(named: name), schema.existedBefore(property, of: entity)
        else {
            return nil
        }
        return .keys(object[keys: name])
    }

    // MARK: Stages

    /// Runs the program's stage on copies of the objects.
    private func stageSamples() throws -> [MigrationSample] {
        let stage = try schema.transition.stage(of: fill)
        var pairs: [(before: MigratingObject, after: MigratingObject, problem: String?)] = []
        for object in try objects(of: stage) {
            var (filled, problem) = (object, String?.none)
            do {
                try stage.transform(&filled)
            } catch {
                problem = "The stage threw an error: \((error as? StoreError)?.message ?? "\(error)")"
            }
            pairs.append((object, filled, problem))
        }
        return try stage.properties.map { name in
            let isRelationship = schema.filledRelationships(of: stage).contains(name)
            let target =
                isRelationship
                ? nil : try BackfillTarget(name, of: entity, prefix: SchemaTransition.pending)
            return MigrationSample(
                path: "\(fill.entityName).\(name)", conversion: nil,
                rows: pairs.map { before, after, problem in
                    let kept = target.map { $0.content(after[name]) } ?? .keys(after[keys: name])
                    return MigrationSample.Row(
                        entityName: before.entityName, key: before.key, readings: [],
                        before: isRelationship ? olderKeys(name, before) : older(name, before),
                        after: problem.map { .problem($0) } ?? kept)
                })
        }
    }
}

extension BackfillTarget {
    /// Returns a value as the attribute stores it.
    fileprivate func content(_ value: StoredValue) -> MigrationSample.Content {
        value.converted(to: type).map { .value($0) } ?? .problem("\(path) can't store the value.")
    }
}

extension SQLMigrator: MigrationSampler {
    package func samples(of segment: MigrationPlan.Segment) throws -> [Int: [MigrationSample]] {
        let storeNumbers = try metadata.numbers()
        let numbers = EntityNumbering(segment.transition, storeNumbers: storeNumbers).numbers
        let schema = try SchemaTransition(
            segment.transition, connection.migrationDialect, oldNumbers: storeNumbers, newNumbers: numbers)
        var samples: [Int: [MigrationSample]] = [:]
        for (place, step) in segment.steps.enumerated() {
            guard case .fill(let fill) = step.work, fill.derived.isEmpty else { continue }
            samples[place] = try BackfillSampler(fill, schema, connection).samples()
        }
        return samples
    }
}
