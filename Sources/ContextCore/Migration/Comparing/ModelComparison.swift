/// Compares two models, entity by entity.
struct ModelComparison {
    let old: ObjectModel
    let new: ObjectModel
    private let hints: MigrationHints
    private(set) var changes: [ModelChange] = []
    private(set) var ambiguities: [String] = []
    private(set) var likelyRenames: [LikelyRename] = []
    /// The newer names of the older entities that still exist, by their older names.
    private var newNames: [String: String] = [:]
    /// The newer names of older properties, by the older name of their entity.
    private var propertyNames: [String: [String: String]] = [:]

    init(old: ObjectModel, new: ObjectModel, hints: MigrationHints) {
        self.old = old
        self.new = new
        self.hints = hints
    }

    /// The older name of each newer entity and property.
    var matching: ModelMatching {
        var matching = ModelMatching()
        for layout in new.layouts { matching.superentities[layout.name] = layout.description.superentityName }
        for (origin, name) in newNames {
            matching.entities[name] = origin
            for (oldName, newName) in propertyNames[origin] ?? [:] {
                matching.properties[name, default: [:]][newName] = oldName
            }
        }
        return matching
    }

    mutating func compare() {
        let matching = RenameMatching(
            old: old.layouts.map { Self.renameCandidate($0.description, hint: nil) },
            new: new.layouts.map { Self.renameCandidate($0.description, hint: hints.renames[$0.name]) },
            in: "of the model", notRenamed: hints.removed)
        ambiguities += matching.ambiguities
        likelyRenames += matching.likelyRenames.map { LikelyRename(former: $0, candidates: $1) }
        for (name, origin) in matching.oldNames { newNames[origin] = name }
        for layout in new.layouts {
            let entity = layout.description
            guard let origin = matching.oldNames[layout.name],
                let before = old.layout(named: origin)?.description
            else {
                changes.append(ModelChange(layout.name, .entity, .added))
                continue
            }
            compare(before, entity)
        }
        for name in matching.removed { changes.append(ModelChange(name, .entity, .removed)) }
        compareMoves()
        compareInheritance()
        changes += lostReferences(self.matching)
        for layout in old.layouts { compareInverses(of: layout.description) }
    }

    /// Replaces the removal and the addition of a property that moved between an entity and its superentity by the differences of the
    /// two.
    private mutating func compareMoves() {
        let matching = matching
        let moved = changes.filter { isMoved($0, matching) }
        let left = Set(moved)
        changes.removeAll(where: left.contains)
        let arrived = moved.filter { $0.kind == .added } + newEntityProperties(matching)
        for change in arrived {
            for difference in changesOfMovedProperty(change, matching) where !changes.contains(difference) {
                changes.append(difference)
            }
        }
    }

    /// Returns the properties of new entities, which have no change of their own; a subentity may have had them before.
    private func newEntityProperties(_ matching: ModelMatching) -> [ModelChange] {
        new.layouts.filter { origin(of: $0, matching) == nil }.flatMap { entity in
            entity.description.attributes.map { ModelChange(entity.name, .attribute($0.name), .added) }
                + entity.description.relationships.map {
                    ModelChange(entity.name, .relationship($0.name), .added)
                }
        }
    }

    private func isMoved(_ change: ModelChange, _ matching: ModelMatching) -> Bool {
        guard let name = change.propertyName, let entity = new.layout(named: change.entityName) else {
            return false
        }
        switch change.kind {
        case .removed:
            guard let origin = origin(of: entity, matching) else { return false }
            return matching.successors(of: entity, in: new, from: origin, in: old)[name] != nil
        case .added, .required(default: nil):
            return !oldProperties(of: name, in: entity, matching).isEmpty
        default: return false
        }
    }

    func origin(of entity: EntityLayout, _ matching: ModelMatching) -> EntityLayout? {
        matching.entities[entity.name].flatMap(old.layout(named:))
    }

    /// Returns the old properties from which a property moved, one for each entity that has it now and had it before.
    private func oldProperties(
        of name: String, in entity: EntityLayout, _ matching: ModelMatching
    ) -> [PropertyLayout] {
        let isAttribute = entity.property(named: name)?.attribute != nil
        return entity.familyIndices.compactMap { index in
            guard let origin = origin(of: new.layouts[index], matching),
                let property = matching.movedProperty(name, of: entity, from: origin, in: old),
                (property.attribute != nil) == isAttribute
            else { return nil }
            return property
        }
    }

    /// Returns the differences between a property that moved to another entity and the older properties that it replaces.
    private func changesOfMovedProperty(_ change: ModelChange, _ matching: ModelMatching) -> [ModelChange] {
        guard let name = change.propertyName, let entity = new.layout(named: change.entityName),
            let property = entity.property(named: name)
        else { return [] }
        return oldProperties(of: name, in: entity, matching).flatMap { older in
            var comparison = PropertyComparison(
                before: entity.description, entity: entity.description, newNames: newNames, hints: hints)
            comparison.compare(older, property)
            return comparison.changes
        }
    }

    /// Records the loss of inherited properties that an entity neither inherits nor declares any more, although other entities
    /// have them.
    private mutating func compareInheritance() {
        let matching = matching
        for entity in new.layouts {
            guard let origin = origin(of: entity, matching), let above = origin.superentityIndex else {
                continue
            }
            let kept = matching.successors(of: entity, in: new, from: origin, in: old)
            for property in old.layouts[above].properties where kept[property.name] == nil {
                if isReported(property, of: old.layouts[above], matching) { continue }
                let subject: ModelChange.Subject =
                    property.attribute == nil ? .relationship(property.name) : .attribute(property.name)
                changes.append(ModelChange(entity.name, subject, .removed))
            }
        }
    }

    /// Whether the loss of a property is recorded for an entity or for one of its ancestors.
    private func isReported(
        _ property: PropertyLayout, of origin: EntityLayout, _ matching: ModelMatching
    ) -> Bool {
        guard let entity = newNames[origin.name].flatMap(new.layout(named:)) else { return false }
        return matching.successors(of: entity, in: new, from: origin, in: old)[property.name] == nil
    }

    /// Compares inverses, after all properties have been matched, because an inverse may have been renamed.
    private mutating func compareInverses(of before: EntityDescription) {
        guard let entity = newNames[before.name].flatMap(new.layout(named:))?.description else { return }
        for relationship in before.relationships {
            guard let name = propertyNames[before.name]?[relationship.name],
                let after = entity.relationships.first(where: { $0.name == name })
            else { continue }
            let inverse = relationship.inverseName.map { inverse in
                propertyNames[relationship.destinationName]?[inverse] ?? inverse
            }
            if inverse != after.inverseName {
                changes.append(
                    ModelChange(
                        entity.name, .relationship(name), .inverse(from: inverse, to: after.inverseName)))
            }
        }
    }

    /// Returns an entity as a candidate for rename matching.
    ///
    /// Entities whose properties have the same names and types have the same shape.
    private static func renameCandidate(_ entity: EntityDescription, hint: String?)
        -> RenameMatching.Candidate
    {
        let attributes = entity.attributes.map { "\($0.name) \($0.type)" }
        let relationships = entity.relationships.map { "\($0.name) \($0.isToMany)" }
        let shape = (attributes + relationships).joined(separator: ";")
        return RenameMatching.Candidate(
            name: entity.name, identifier: entity.renamingIdentifier, hint: hint,
            shape: shape.isEmpty ? nil : shape)
    }

    /// Returns the predicate of an index with the newer names of its properties.
    private static func renamed(_ predicate: String, _ names: [String: String]) -> String {
        guard let tree = try? FetchPredicate(predicate) else { return predicate }
        let rewriter = PathRewriter { path, _ in
            var path = path
            if path.variable == nil, let first = path.names.first { path.names[0] = names[first] ?? first }
            return .path(path)
        }
        // Keeps the original text if no name in it has changed.
        guard let renamed = try? rewriter.rewrite(tree), renamed != tree else { return predicate }
        return "\(renamed)"
    }

    private mutating func compare(_ before: EntityDescription, _ entity: EntityDescription) {
        func record(_ kind: ModelChange.Kind) { changes.append(ModelChange(entity.name, .entity, kind)) }
        if before.name != entity.name { record(.renamed(from: before.name)) }
        let above = before.superentityName.map { newNames[$0] ?? $0 }
        if above != entity.superentityName { record(.moved(from: above, to: entity.superentityName)) }
        if before.isAbstract != entity.isAbstract { record(.abstract(entity.isAbstract)) }
        var properties = PropertyComparison(
            before: before, entity: entity, newNames: newNames, hints: hints)
        properties.compare()
        ambiguities += properties.ambiguities
        likelyRenames += properties.likelyRenames
        changes += properties.changes
        let names = properties.newNames
        propertyNames[before.name] = names
        func renamed(_ name: String) -> String { names[name] ?? name }
        let indexes = before.indexes.map { index in
            var index = index
            index.elements = index.elements.map { .init(renamed($0.property), isDescending: $0.isDescending) }
            index.predicate = index.predicate.map { Self.renamed($0, names) }
            return index
        }
        func isIn(_ list: [IndexDescription], _ index: IndexDescription) -> Bool {
            list.contains { $0.isEquivalent(index) }
        }
        for index in indexes where !isIn(entity.indexes, index) { record(.indexRemoved(index)) }
        for index in entity.indexes where !isIn(indexes, index) { record(.indexAdded(index)) }
        let constraints = before.uniqueConstraints.map { Set($0.properties.map(renamed)) }
        let wanted = entity.uniqueConstraints.map { Set($0.properties) }
        for constraint in constraints where !wanted.contains(constraint) {
            record(.uniqueRemoved(constraint.sortedByBytes { $0 }))
        }
        for constraint in wanted where !constraints.contains(constraint) {
            record(.uniqueAdded(constraint.sortedByBytes { $0 }))
        }
    }
}

extension IndexDescription {
    /// Whether two indexes have the same elements and equivalent predicates.
    fileprivate func isEquivalent(_ other: IndexDescription) -> Bool {
        if self == other { return true }
        guard elements == other.elements, let predicate, let words = other.predicate,
            let tree = try? FetchPredicate(predicate), let otherTree = try? FetchPredicate(words)
        else { return false }
        return tree == otherTree
    }
}
