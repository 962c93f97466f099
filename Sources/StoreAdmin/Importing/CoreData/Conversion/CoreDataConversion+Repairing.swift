import ContextCore

extension CoreDataConversion {
    /// Returns the model, without the rules, defaults, derivations, indexes and constraints that a model can't have.
    ///
    /// - Throws: ``ModelError`` if other problems are left.
    mutating func validModel() throws -> ObjectModel {
        addInverses()
        while true {
            do {
                return try ObjectModel(entities: entities)
            } catch let error as ModelError {
                let count = remarks.count
                for problem in error.problems { repair(problem) }
                if remarks.count == count { throw error }
            }
        }
    }

    /// Removes the part of a description that has a problem, and remarks it.
    private mutating func repair(_ problem: ModelProblem) {
        guard let entity = problem.entity else { return }
        let property = problem.property?.split(separator: ".").first.map(String.init)
        var text: String?
        update(entity) { description in
            switch problem.code {
            case .invalidIndex:
                let count = description.indexes.count
                description.indexes.removeAll { index in
                    index.elements.contains { $0.property == problem.property } || property == nil
                }
                if description.indexes.count < count { text = "an index on it." }
            case .invalidConstraint:
                let count = description.uniqueConstraints.count
                description.uniqueConstraints.removeAll {
                    $0.properties.contains(problem.property ?? "") || property == nil
                }
                if description.uniqueConstraints.count < count { text = "a unique constraint on it." }
            default:
                guard let property else { return }
                text = Self.repairAttribute(property, problem.code, &description)
                if text == nil { text = Self.repairRelationship(property, problem.code, &description) }
            }
        }
        if let text {
            remark(
                .omitted, [entity, problem.property].compactMap(\.self).joined(separator: "."),
                text + " " + problem.message)
        }
    }

    private static func repairAttribute(
        _ name: String, _ code: ModelProblem.Code, _ description: inout EntityDescription
    ) -> String? {
        guard let place = description.attributes.firstIndex(where: { $0.name == name }) else { return nil }
        switch code {
        case .invalidDerivation:
            description.attributes[place].storage = .stored
            return "its derivation."
        case .invalidDefault where description.attributes[place].defaultValue != nil:
            description.attributes[place].defaultValue = nil
            return "its default value."
        case .invalidRule where !description.attributes[place].rules.isEmpty:
            description.attributes[place].rules = []
            return "its rules."
        case .invalidExternalStorage where description.attributes[place].externalThreshold != nil:
            description.attributes[place].externalThreshold = nil
            return "its external storage."
        default: return nil
        }
    }

    private static func repairRelationship(
        _ name: String, _ code: ModelProblem.Code, _ description: inout EntityDescription
    ) -> String? {
        guard let place = description.relationships.firstIndex(where: { $0.name == name }) else { return nil }
        switch code {
        case .contradictoryDeleteRules where description.relationships[place].deleteRule != .nullify:
            description.relationships[place].deleteRule = .nullify
            return "its delete rule."
        case .contradictoryRelationship, .unsatisfiableRelationship:
            let before = description.relationships[place]
            description.relationships[place].minimumCount = nil
            description.relationships[place].maximumCount = nil
            description.relationships[place].isOptional = true
            return description.relationships[place] == before ? nil : "its limits."
        default: return nil
        }
    }
}
