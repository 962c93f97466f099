/// Checks one property of an object against the rules of its model.
struct PropertyCheck {
    let graph: ObjectGraph

    /// All rules that the property breaks as it is now.
    func failures(of object: ManagedObject, _ property: PropertyLayout) -> [ValidationFailure] {
        switch property.kind {
        case .attribute:
            // It was checked when it was saved.
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
        let count = graph.loadedCollection(of: object, slot: slot).members.count(where: \.isKept)
        var failures: [ValidationFailure] = []
        if let least = description.minimumCount, count < least {
            failures.append(object.failure(description.name, "must lead to at least \(least)", "\(count)"))
        }
        if let most = description.maximumCount, count > most {
            failures.append(object.failure(description.name, "may lead to at most \(most)", "\(count)"))
        }
        return failures
    }
}

extension PropertyLayout {
    /// Whether there is anything that its value could break.
    var hasRules: Bool {
        guard let description = relationship?.description else { return validation != nil }
        if !description.isToMany { return !description.isOptional }
        return description.minimumCount != nil || description.maximumCount != nil
    }
}

extension ValueFailure {
    /// The name of the property, or of the part of it that broke the rule.
    func path(in property: PropertyLayout) -> String {
        part.map { "\(property.name).\($0)" } ?? property.name
    }
}

extension ManagedObject {
    /// A rule that the object breaks.
    final func failure(_ property: String?, _ rule: String, _ kind: String?) -> ValidationFailure {
        ValidationFailure(
            objectID: objectID, entityName: entity.name, property: property, rule: rule, valueKind: kind)
    }
}

extension StoreError {
    /// The error of objects that can't be saved as they are.
    init(breaking failures: [ValidationFailure]) {
        self.init(
            .validation,
            failures.count == 1 ? "An object can't be saved." : "\(failures.count) rules are broken.",
            failures: failures)
    }
}
