import Synchronization

/// Fingerprints tell whether a store was made for this model.
extension ObjectModel {
    /// Sixty-four hexadecimal digits that stand for everything about the model that a store's tables depend on.
    ///
    /// It changes with names, types, optionality, inheritance, relationships (destination, inverse, to-many, order), derivations,
    /// transformers' names, whether values may lie outside their rows, whether references may dangle (`noAction`), indexes, unique
    /// constraints, hash modifiers, and a renaming identifier that is the name of another entity or property, since two that exchange
    /// their names are otherwise alike before and after: keep such identifiers in later versions. It doesn't change with classes,
    /// defaults, rules, counts, other delete rules, other renaming identifiers, transient attributes, what is preserved on deletion, or
    /// the order of declarations.
    ///
    /// It is the SHA-256 of the lines `name fingerprint` of all entities, sorted by the bytes of their names; behind the fingerprint of
    /// an entity that was called as another one is now stands that name.
    public var fingerprint: String {
        // Stores compare it again and again, and it takes a while to work out.
        knownFingerprint.withLock { known in
            if let known { return known }
            let lines = layouts.map { layout in
                let identifier = layout.description.renamingIdentifier
                let origin = identifier.flatMap { self.layout(named: $0) == nil ? nil : " \($0)" } ?? ""
                return "\(layout.name) \(layout.fingerprint)\(origin)\n"
            }
            let fingerprint = SHA256.hexDigest(of: lines.joined())
            known = fingerprint
            return fingerprint
        }
    }
}

extension EntityLayout {
    /// Sixty-four hexadecimal digits that stand for everything about the entity that a store's tables depend on.
    ///
    /// They are the SHA-256 of the entity as a model file of format 1 writes it, on one line without spaces, names sorted, and
    /// without all that ``ObjectModel/fingerprint`` doesn't depend on. What is inherited belongs to the superentity's own.
    public var fingerprint: String {
        SHA256.hexDigest(of: ModelFileWriter.value(description.persistentShape).text)
    }
}

extension EntityDescription {
    /// The entity without what stores don't depend on.
    fileprivate var persistentShape: EntityDescription {
        var shape = self
        shape.renamingIdentifier = nil
        let names = Set(attributes.map(\.name) + relationships.map(\.name))
        /// An identifier counts where it is another property's name.
        func counts(_ identifier: String?) -> String? {
            identifier.flatMap { names.contains($0) ? $0 : nil }
        }
        shape.attributes = attributes.filter { $0.storage != .transient }.map { attribute in
            var shape = attribute.persistentShape
            shape.renamingIdentifier = counts(attribute.renamingIdentifier)
            return shape
        }
        shape.relationships = relationships.map { relationship in
            var shape = relationship.persistentShape
            shape.renamingIdentifier = counts(relationship.renamingIdentifier)
            return shape
        }
        return shape
    }
}

extension AttributeDescription {
    fileprivate var persistentShape: AttributeDescription {
        var shape = self
        if case .composite(let parts) = type { shape.type = .composite(parts.map(\.persistentShape)) }
        shape.defaultValue = nil
        shape.rules = []
        shape.renamingIdentifier = nil
        shape.preservesValueOnDeletion = false
        shape.externalThreshold = externalThreshold.map { _ in 1 }
        return shape
    }
}

extension RelationshipDescription {
    fileprivate var persistentShape: RelationshipDescription {
        var shape = self
        shape.renamingIdentifier = nil
        shape.minimumCount = nil
        shape.maximumCount = nil
        shape.deleteRule = deleteRule == .noAction ? .noAction : .nullify
        return shape
    }
}
