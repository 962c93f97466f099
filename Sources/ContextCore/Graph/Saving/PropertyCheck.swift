/// Validates one property of an object against the rules of the model.
struct PropertyCheck {
    let graph: ObjectGraph

    /// Returns the rules that the property violates.
    func failures(of object: ManagedObject, _ property: PropertyLayout) -> [ValidationFailure] {
        switch property.kind {
        case .attribute:
            // A value that was not loaded is unchanged, and was validated when it was saved.
            if graph.isDeferred(property, of: object) { return [] }
            let broken = property.validation?.failures(of: graph.currentRawValue(of: object, property)) ?? []
            return broken.isEmpty
                ? [] : broken.map { object.failure($0.path(in: property), $0.message, $0.valueKind) }
        case .relationship(let relationship):
            return failures(of: object, property.slot, relationship.description)
        }
    }

    private func failures(
        of object: ManagedObject, _ slot: Int, _ description: RelationshipDescription
    ) -> [ValidationFailure] {
        if !description.isToMany {
            return description.isOptional || graph.target(of: object, slot: slot) != nil
                ? [] : [object.failure(description.name, "is required", "nothing")]
        }
        if description.minimumCount == nil, description.maximumCount == nil { return [] }
        let count = graph.loadedCollection(of: object, slot: slot).members.count(where: \.isLive)
        var failures: [ValidationFailure] = []
        if let minimum = description.minimumCount, count < minimum {
            failures.append(
                object.failure(description.name, "must have at least \(minimum) objects", "\(count)"))
        }
        if let maximum = description.maximumCount, count > maximum {
            failures.append(
                object.failure(description.name, "may have at most \(maximum) objects", "\(count)"))
        }
        return failures
    }
}

extension PropertyLayout {
    /// Whether the model has rules for the property.
    var hasRules: Bool {
        guard let description = relationship?.description else { return validation != nil }
        if !description.isToMany { return !description.isOptional }
        return description.minimumCount != nil || description.maximumCount != nil
    }
}

extension ValueFailure {
    /// Returns the name of the property, or of the part of it that violates the rule.
    func path(in property: PropertyLayout) -> String {
        part.map { "\(property.name).\($0)" } ?? property.name
    }
}

extension ManagedObject {
    /// Describes a rule that the object violates.
    final func failure(_ property: String?, _ rule: String, _ kind: String?) -> ValidationFailure {
        ValidationFailure(
            objectID: objectID, entityName: entity.name, property: property, rule: rule, valueKind: kind)
    }
}

extension StoreError {
    /// Creates the error of a save whose objects violate validation rules.
    init(breaking failures: [ValidationFailure]) {
        self.init(
            .validation,
            failures.count == 1
                ? "An object violates a rule of the model."
                : "Objects violate \(failures.count) rules of the model.",
            remedy: "Correct the values that violate the rules.", failures: failures)
    }
}
