import ContextCore

/// A few games and players to evaluate predicates with.
final class PredicateWorld {
    /// One object of the world.
    struct Subject: PredicateSubject {
        let world: PredicateWorld
        let entityIndex: Int
        let key: Int64
        var values: [String: StoredValue]

        func value(column: Int) throws -> StoredValue {
            values[world.models.model.layouts[entityIndex].columns[column].name] ?? .null
        }

        func target(_ hop: RelationshipStep) throws -> Subject? {
            guard let column = hop.column, case .int(let key) = try value(column: column) else { return nil }
            return world.subjects.first { $0.key == key }
        }

        func members(_ hop: RelationshipStep) throws -> [Subject] {
            world.subjects.filter { $0.entityIndex == hop.destinationIndex && $0.values["game"] == .int(key) }
        }
    }

    let models: PredicateModel
    private(set) var subjects: [Subject] = []

    init(_ models: PredicateModel) {
        self.models = models
    }

    func add(_ entity: EntityLayout, _ values: [String: StoredValue]) {
        subjects.append(
            Subject(world: self, entityIndex: entity.index, key: Int64(subjects.count + 1), values: values))
    }

    func answer(_ predicate: ResolvedPredicate, _ subject: Subject) throws -> PredicateTruth {
        try PredicateEvaluator<Subject>(now: 1_785_585_600_000_000).evaluate(predicate, [subject])
    }

    /// Evaluates a predicate for the first object of an entity.
    func answer(_ text: String, for entity: EntityLayout) throws -> PredicateTruth? {
        guard let subject = subjects.first(where: { $0.entityIndex == entity.index }) else { return nil }
        return try answer(models.resolve(text, for: entity), subject)
    }
}
