/// Compares the properties that an entity declares itself.
struct PropertyComparison {
    private let before: EntityDescription
    private let entity: EntityDescription
    /// The newer names of the model's entities, by their older names.
    private let entityNames: [String: String]
    private let hints: MigrationHints
    private(set) var changes: [ModelChange] = []
    private(set) var ambiguities: [String] = []
    private(set) var likelyRenames: [LikelyRename] = []
    /// The newer names of the older properties that still exist, by their older names.
    private(set) var newNames: [String: String] = [:]

    init(
        before: EntityDescription, entity: EntityDescription, newNames: [String: String],
        hints: MigrationHints
    ) {
        self.before = before
        self.entity = entity
        entityNames = newNames
        self.hints = hints
    }

    mutating func compare() {
        compareAttributes()
        compareRelationships()
    }

    /// Compares a property with its older version in another entity.
    mutating func compare(_ old: PropertyLayout, _ new: PropertyLayout) {
        if let older = old.attribute, let newer = new.attribute { compare(older, newer) }
        if let older = old.relationship, let newer = new.relationship {
            compare(older.description, newer.description)
        }
    }

    /// The older properties that the hints say were removed, not renamed.
    private func removalHints() -> Set<String> {
        let prefix = before.name + "."
        return Set(hints.removed.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) })
    }

    /// Returns the older name of a property according to the hints.
    private func older(_ name: String) -> String? { hints.renames["\(entity.name).\(name)"] }

    private mutating func recordNames(of matching: RenameMatching) {
        ambiguities += matching.ambiguities
        likelyRenames += matching.likelyRenames.map { former, candidates in
            LikelyRename(
                former: "\(before.name).\(former)", candidates: candidates.map { "\(entity.name).\($0)" })
        }
        for (name, origin) in matching.oldNames { newNames[origin] = name }
    }

    // MARK: Attributes

    private mutating func compareAttributes() {
        func candidate(_ attribute: AttributeDescription, hint: String?) -> RenameMatching.Candidate {
            .init(
                name: attribute.name, identifier: attribute.renamingIdentifier, hint: hint,
                shape: "\(attribute.type)")
        }
        let matching = RenameMatching(
            old: before.attributes.map { candidate($0, hint: nil) },
            new: entity.attributes.map { candidate($0, hint: older($0.name)) }, in: "of \(entity.name)",
            notRenamed: removalHints())
        recordNames(of: matching)
        for attribute in entity.attributes {
            let origin = matching.oldNames[attribute.name]
            if let old = before.attributes.first(where: { $0.name == origin }) {
                compare(old, attribute)
            } else {
                changes.append(ModelChange(entity.name, .attribute(attribute.name), .added))
                // Existing objects have no value for it yet.
                if !attribute.isOptional, attribute.storage == .stored, attribute.defaultValue == nil {
                    changes.append(
                        ModelChange(entity.name, .attribute(attribute.name), .required(default: nil)))
                }
            }
        }
        for name in matching.removed { changes.append(ModelChange(entity.name, .attribute(name), .removed)) }
    }

    private mutating func compare(_ old: AttributeDescription, _ new: AttributeDescription) {
        func record(_ kind: ModelChange.Kind) {
            changes.append(ModelChange(entity.name, .attribute(new.name), kind))
        }
        if old.name != new.name { record(.renamed(from: old.name)) }
        if old.type != new.type { record(.type(from: old.type, to: new.type)) }
        if old.storage != new.storage { record(.storage(from: old.storage, to: new.storage)) }
        if old.transformerName != new.transformerName {
            record(.transformer(from: old.transformerName, to: new.transformerName))
        }
        if old.isOptional, !new.isOptional { record(.required(default: new.defaultValue)) }
        if !old.isOptional, new.isOptional { record(.optional) }
    }

    // MARK: Relationships

    private mutating func compareRelationships() {
        let names = entityNames
        func candidate(_ relationship: RelationshipDescription, isOld: Bool) -> RenameMatching.Candidate {
            let destination = relationship.destinationName
            let shape = "\(isOld ? names[destination] ?? destination : destination) \(relationship.isToMany)"
            return .init(
                name: relationship.name, identifier: relationship.renamingIdentifier,
                hint: isOld ? nil : older(relationship.name), shape: shape)
        }
        let matching = RenameMatching(
            old: before.relationships.map { candidate($0, isOld: true) },
            new: entity.relationships.map { candidate($0, isOld: false) }, in: "of \(entity.name)",
            notRenamed: removalHints())
        recordNames(of: matching)
        for relationship in entity.relationships {
            let origin = matching.oldNames[relationship.name]
            if let old = before.relationships.first(where: { $0.name == origin }) {
                compare(old, relationship)
            } else {
                changes.append(ModelChange(entity.name, .relationship(relationship.name), .added))
                if !relationship.isOptional, !relationship.isToMany {
                    changes.append(
                        ModelChange(entity.name, .relationship(relationship.name), .required(default: nil)))
                }
            }
        }
        for name in matching.removed {
            changes.append(ModelChange(entity.name, .relationship(name), .removed))
        }
    }

    private mutating func compare(_ old: RelationshipDescription, _ new: RelationshipDescription) {
        func record(_ kind: ModelChange.Kind) {
            changes.append(ModelChange(entity.name, .relationship(new.name), kind))
        }
        if old.name != new.name { record(.renamed(from: old.name)) }
        let destination = entityNames[old.destinationName] ?? old.destinationName
        if destination != new.destinationName {
            record(.destination(from: destination, to: new.destinationName))
        }
        if old.isToMany != new.isToMany { record(.toMany(new.isToMany)) }
        if old.isOrdered != new.isOrdered { record(.ordered(new.isOrdered)) }
        if !new.isToMany, !old.isToMany {
            if old.isOptional, !new.isOptional { record(.required(default: nil)) }
            if !old.isOptional, new.isOptional { record(.optional) }
        }
        if old.deleteRule != new.deleteRule { record(.deleteRule(from: old.deleteRule, to: new.deleteRule)) }
    }
}
