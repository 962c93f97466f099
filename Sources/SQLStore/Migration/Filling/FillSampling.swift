package import ContextCore

/// Works out what a step makes of the first rows that it fills, and writes nothing.
struct FillSampling {
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

    /// A sample of each property that the step fills.
    func samples() throws -> [MigrationSample] {
        fill.stage.isEmpty ? try conversionSamples() : try stageSamples()
    }

    private func objects(of stage: MigrationStage) throws -> [MigratingObject] {
        let reading = try StageReading(stage, entity, schema)
        return try reading.objects(after: nil, limit: MigrationSample.rowCount, connection).objects
    }

    // MARK: Conversions

    private func conversionSamples() throws -> [MigrationSample] {
        let filling = try RowFilling(fill, schema)
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

    /// What an attribute was, by whatever name; nil where the object had none.
    private func older(_ name: String, _ object: MigratingObject) -> MigrationSample.Content? {
        guard let layout = schema.old.model.layout(named: object.entityName),
            let property = schema.matching.property(
                name, of: entity.layout, from: layout, in: schema.old.model),
            property.attribute != nil
        else { return nil }
        return object.old[property.name].map { .value($0) }
    }

    /// What a relationship led to, by whatever name; nil where the entity had none.
    private func olderKeys(_ name: String, _ object: MigratingObject) -> MigrationSample.Content? {
        guard let property = entity.layout.property(named: name), schema.wasThere(property, of: entity) else {
            return nil
        }
        return .keys(object[keys: name])
    }

    // MARK: Stages

    /// Lets the program's stage fill copies of the objects.
    private func stageSamples() throws -> [MigrationSample] {
        let stage = try schema.transition.stage(of: fill)
        var pairs: [(before: MigratingObject, after: MigratingObject, problem: String?)] = []
        for object in try objects(of: stage) {
            var (filled, problem) = (object, String?.none)
            do {
                try stage.transform(&filled)
            } catch {
                problem = "The stage has thrown: \((error as? StoreError)?.message ?? "\(error)")"
            }
            pairs.append((object, filled, problem))
        }
        return try stage.properties.map { name in
            let isRelationship = schema.filledRelationships(of: stage).contains(name)
            let target =
                isRelationship
                ? nil : try FillTarget(name, of: entity, prefix: SchemaTransition.pending)
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

extension FillTarget {
    /// A value as the attribute keeps it.
    fileprivate func content(_ value: StoredValue) -> MigrationSample.Content {
        value.converted(to: type).map { .value($0) } ?? .problem("\(path) can't keep it.")
    }
}

extension SQLMigrator: MigrationSampler {
    package func samples(of stretch: MigrationPlan.Stretch) throws -> [Int: [MigrationSample]] {
        let known = try notes.numbers()
        let numbers = EntityNumbering(stretch.transition, known: known).numbers
        let schema = try SchemaTransition(
            stretch.transition, connection.spelling, oldNumbers: known, newNumbers: numbers)
        var samples: [Int: [MigrationSample]] = [:]
        for (place, step) in stretch.steps.enumerated() {
            guard case .fill(let fill) = step.work, fill.derived.isEmpty else { continue }
            samples[place] = try FillSampling(fill, schema, connection).samples()
        }
        return samples
    }
}
