import Synchronization

/// The fingerprint, by which a store recognizes the model that it was created with.
extension ObjectModel {
    /// A hash of everything in the model that a store's tables depend on, as 64 hexadecimal digits.
    ///
    /// It changes with names, types, optionality, inheritance, relationships (destination, inverse, to-many, order), derivations,
    /// transformers' names, external storage, references that may dangle (`noAction`), indexes, unique constraints and hash modifiers.
    /// It also changes with a renaming identifier that is the name of another entity or property, because a model is otherwise the same
    /// before and after two of them exchange their names: keep such identifiers in later versions. It doesn't change with classes,
    /// defaults, rules, counts, other delete rules, other renaming identifiers, transient attributes, preservation on deletion, or
    /// the order of declarations.
    ///
    /// It is the SHA-256 of the lines `name fingerprint` of all entities, sorted by the bytes of their names. If an entity's renaming
    /// identifier is the name of an entity of this model, the name follows the fingerprint.
    public var fingerprint: String {
        // Stores compare it repeatedly, and computing it is slow.
        cachedFingerprint.withLock { known in
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
    /// A hash of everything in the entity that a store's tables depend on, as 64 hexadecimal digits.
    ///
    /// It is the SHA-256 of the entity as written in a model file of format 1, on one line without spaces, with names sorted, and
    /// without everything that ``ObjectModel/fingerprint`` doesn't depend on. Inherited properties are part of the superentity's.
    public var fingerprint: String {
        SHA256.hexDigest(of: ModelFileWriter.value(description.persistentShape).text)
    }
}

extension EntityDescription {
    /// The entity without everything that stores don't depend on.
    fileprivate var persistentShape: EntityDescription {
        var shape = self
        shape.renamingIdentifier = nil
        let names = Set(attributes.map(\.name) + relationships.map(\.name))
        /// Returns the identifier if it is the name of another property.
        func nameOfOtherProperty(_ identifier: String?) -> String? {
            identifier.flatMap { names.contains($0) ? $0 : nil }
        }
        shape.attributes = attributes.filter { $0.storage != .transient }.map { attribute in
            var shape = attribute.persistentShape
            shape.renamingIdentifier = nameOfOtherProperty(attribute.renamingIdentifier)
            return shape
        }
        shape.relationships = relationships.map { relationship in
            var shape = relationship.persistentShape
            shape.renamingIdentifier = nameOfOtherProperty(relationship.renamingIdentifier)
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
