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
                ? [] : [object.failure(description.name, "is required", nil)]
        }
        if description.minimumCount == nil, description.maximumCount == nil { return [] }
        let count = graph.loadedCollection(of: object, slot: slot).members.count(where: \.isLive)
        let found = count.counted("object", "objects")
        var failures: [ValidationFailure] = []
        if let minimum = description.minimumCount, count < minimum {
            let rule = "must have at least \(minimum.counted("object", "objects"))"
            failures.append(object.failure(description.name, rule, found))
        }
        if let maximum = description.maximumCount, count > maximum {
            let rule = "must have at most \(maximum.counted("object", "objects"))"
            failures.append(object.failure(description.name, rule, found))
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
    /// The remedy for a deletion that a delete rule denies.
    static let denialRemedy =
        "To delete an object, first delete the objects that refer to it, or let them refer to another."

    /// Creates the error of a save whose objects violate validation rules.
    init(breaking failures: [ValidationFailure]) {
        let count = Set(failures.map(\.objectID)).count
        let denied = failures.count { $0.objectStatement != nil }
        var remedies: [String] = []
        if denied < failures.count { remedies.append("Correct the values and save again.") }
        if denied > 0 { remedies.append(Self.denialRemedy) }
        self.init(
            .validation, "\(count.counted("object", "objects")) \(count == 1 ? "is" : "are") not valid.",
            remedy: remedies.joined(separator: " "), failures: failures)
    }
}
