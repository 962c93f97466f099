/// Checks that indexes and unique constraints use properties that stores can compare.
struct ConstraintChecking {
    let hierarchy: EntityHierarchy

    func check(_ problems: inout ModelProblems) {
        for (index, entity) in hierarchy.entities.enumerated() {
            for constraint in entity.uniqueConstraints {
                check(constraint.properties, of: index, .invalidConstraint, "A unique constraint", &problems)
            }
            for description in entity.indexes {
                check(
                    description.elements.map(\.property), of: index, .invalidIndex, "An index", &problems)
            }
        }
        IndexPredicateChecking(hierarchy).check(&problems)
    }

    private func check(
        _ names: [String], of index: Int, _ code: ModelProblem.Code, _ what: String,
        _ problems: inout ModelProblems
    ) {
        let entity = hierarchy.entities[index].name
        if names.isEmpty {
            problems.report(code, entity, nil, "\(what) needs at least one property: name one.")
        }
        var seen: Set<String> = []
        for name in names {
            if !seen.insert(name).inserted {
                problems.report(code, entity, name, "\(what) names this property twice: remove one.")
            } else if let reason = unusableReason(to: name, of: index) {
                problems.report(code, entity, name, "\(what) can't use it: \(reason)")
            }
        }
    }

    private func unusableReason(to path: String, of index: Int) -> String? {
        let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if let relationship = hierarchy.relationship(path, of: index) {
            return relationship.isToMany
                ? "a to-many relationship has no column. Name the inverse in its own entity instead." : nil
        }
        guard let attribute = hierarchy.attribute(names[0], of: index) else {
            return "the entity has no such property. Correct the name."
        }
        if attribute.storage == .transient { return "a transient attribute isn't stored. Name another." }
        if attribute.externalThreshold != nil {
            return "it has external storage. Name another, or remove that option."
        }
        guard case .composite(let parts) = attribute.type else {
            if names.count > 1 { return "“\(names[0])” has no parts. Correct the name." }
            return attribute.type == .codable
                ? "each database stores JSON in its own form, so it can't be compared. Name another." : nil
        }
        guard names.count == 2 else {
            return
                "a composite has a column for each part. Name one, as in “\(names[0]).\(parts.first?.name ?? "")”."
        }
        guard let part = parts.first(where: { $0.name == names[1] }) else {
            return "the composite has no such part. Correct the name."
        }
        return part.type == .codable
            ? "each database stores JSON in its own form, so it can't be compared. Name another." : nil
    }
}
