/// Checks that a derived attribute can be computed, and that its type matches the result.
struct DerivationChecking {
    let hierarchy: EntityHierarchy
    let inverses: InverseResolution

    func check(_ attribute: AttributeDescription, of entity: Int, _ problems: inout ModelProblems) {
        guard case .derived(let derivation) = attribute.storage else { return }
        do {
            try check(attribute, derivation, entity)
        } catch {
            problems.report(
                .invalidDerivation, hierarchy.entities[entity].name, attribute.name, error.message)
        }
    }

    private func check(
        _ attribute: AttributeDescription, _ derivation: Derivation, _ entity: Int
    ) throws(Problem) {
        switch derivation {
        case .now:
            try require(.date, of: attribute, "The time of a save")
        case .lowercased(let path), .canonical(let path):
            let source = try source(at: path, from: entity)
            guard source.attribute.type == .string else {
                throw Problem(
                    "“\(path)” is \(source.attribute.type.displayName), and only text can be lower-cased or canonical: "
                        + "name a text attribute.")
            }
            try require(.string, of: attribute, "The lower-case or canonical form")
            try requireOptional(attribute, if: source.isOptional, "“\(path)” may be nil")
        case .copy(let path):
            let source = try source(at: path, from: entity)
            try require(source.attribute.type, of: attribute, "The copied attribute “\(path)”")
            try requireOptional(attribute, if: source.isOptional, "“\(path)” may be nil")
        case .count(let relationship):
            _ = try destination(of: relationship, from: entity)
            try require(.int64, of: attribute, "A count")
        case .sum(let relationship, let name):
            let source = try element(name, over: relationship, from: entity)
            guard let sum = source.type.sumType else {
                throw Problem(
                    "“\(name)” is \(source.type.displayName), which can't be added up: name a number.")
            }
            try require(sum, of: attribute, "The sum of “\(name)”")
        case .minimum(let relationship, let name), .maximum(let relationship, let name):
            let source = try element(name, over: relationship, from: entity)
            guard source.type.hasRange || source.type == .string else {
                throw Problem(
                    "“\(name)” is \(source.type.displayName), which has no order: name a number, a date or text."
                )
            }
            try require(source.type, of: attribute, "The minimum or maximum of “\(name)”")
            try requireOptional(attribute, if: true, "“\(relationship)” may be empty")
        }
    }

    private func require(
        _ type: AttributeType, of attribute: AttributeDescription, _ what: String
    ) throws(Problem) {
        guard attribute.type != type else { return }
        throw Problem(
            "\(what) is \(type.displayName), and the attribute is \(attribute.type.displayName): change its type."
        )
    }

    private func requireOptional(
        _ attribute: AttributeDescription, if condition: Bool, _ reason: String
    ) throws(Problem) {
        guard condition, !attribute.isOptional else { return }
        throw Problem("\(reason), so the derived value may be nil: make the attribute optional.")
    }

    /// Whether a relationship may refer to a deleted object, because its inverse has the delete rule ``DeleteRule/noAction``.
    private func mayDangle(_ relationship: RelationshipDescription, of entity: Int) -> Bool {
        hierarchy.lineage(of: entity).contains { owner in
            hierarchy.entities[owner].relationships.contains { $0.name == relationship.name }
                && inverses.inverse(of: relationship, declaredAt: owner)?.deleteRule == .noAction
        }
    }

    /// Returns the attribute at the end of a chain of to-one relationships, and whether any value on the path may be nil.
    private func source(
        at path: String, from entity: Int
    ) throws(Problem) -> (attribute: AttributeDescription, isOptional: Bool) {
        var names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let last = names.removeLast()
        var current = entity
        var isOptional = false
        for name in names {
            guard let relationship = hierarchy.relationship(name, of: current),
                let destination = hierarchy.indices[relationship.destinationName]
            else {
                throw Problem(
                    "“\(path)” can't be followed: “\(hierarchy.entities[current].name)” has no relationship “\(name)”. "
                        + "Correct the path.")
            }
            if relationship.isToMany {
                throw Problem(
                    "“\(path)” contains the to-many relationship “\(name)”: use a count, sum, minimum or maximum."
                )
            }
            isOptional = isOptional || relationship.isOptional || mayDangle(relationship, of: current)
            current = destination
        }
        let attribute = try attribute(last, of: current)
        return (attribute, isOptional || attribute.isOptional)
    }

    private func element(
        _ name: String, over relationship: String, from entity: Int
    ) throws(Problem) -> AttributeDescription {
        try attribute(name, of: try destination(of: relationship, from: entity))
    }

    private func destination(of name: String, from entity: Int) throws(Problem) -> Int {
        guard let relationship = hierarchy.relationship(name, of: entity), relationship.isToMany,
            let destination = hierarchy.indices[relationship.destinationName]
        else {
            throw Problem(
                "“\(hierarchy.entities[entity].name)” has no to-many relationship “\(name)”: correct the name."
            )
        }
        return destination
    }

    private func attribute(_ name: String, of entity: Int) throws(Problem) -> AttributeDescription {
        let owner = hierarchy.entities[entity].name
        guard let attribute = hierarchy.attribute(name, of: entity) else {
            throw Problem("“\(owner)” has no attribute “\(name)”: correct the name.")
        }
        guard attribute.storage == .stored, attribute.transformerName == nil, attribute.type.isPlain else {
            throw Problem(
                "“\(owner).\(name)” is transient, derived, transformed, codable or a composite, so nothing can be derived from it: "
                    + "name another attribute.")
        }
        return attribute
    }

    private struct Problem: Error {
        let message: String

        init(_ message: String) {
            self.message = message
        }
    }
}
