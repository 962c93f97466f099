/// A relationship that is declared without a class.
///
/// ```swift
/// Relationship("game", to: "Game").required().indexed()
/// Relationship("players", toMany: "Player", inverse: "game", deleteRule: .cascade).ordered().count(1...11)
/// ```
public struct DeclaredRelationship: Sendable {
    private var relationship: RelationshipDescription
    private var isUnique = false
    private var isIndexed = false

    init(_ relationship: RelationshipDescription) {
        self.relationship = relationship
    }

    var property: PropertyDescription {
        var property = PropertyDescription(.relationship(relationship))
        property.isUnique = isUnique
        property.isIndexed = isIndexed
        return property
    }

    private func changing(_ change: (inout DeclaredRelationship) -> Void) -> DeclaredRelationship {
        var changed = self
        change(&changed)
        return changed
    }

    /// Makes a to-one relationship required.
    public func required() -> DeclaredRelationship {
        changing { $0.relationship.isOptional = false }
    }

    /// Makes a to-many relationship ordered.
    public func ordered() -> DeclaredRelationship {
        changing { $0.relationship.isOrdered = true }
    }

    /// Sets the minimum and maximum number of objects of a to-many relationship.
    public func count(_ bounds: ClosedRange<Int>) -> DeclaredRelationship {
        changing {
            $0.relationship.minimumCount = bounds.lowerBound
            $0.relationship.maximumCount = bounds.upperBound
        }
    }

    /// Sets the minimum number of objects of a to-many relationship.
    public func count(_ bounds: PartialRangeFrom<Int>) -> DeclaredRelationship {
        changing { $0.relationship.minimumCount = bounds.lowerBound }
    }

    /// Sets the maximum number of objects of a to-many relationship.
    public func count(_ bounds: PartialRangeThrough<Int>) -> DeclaredRelationship {
        changing { $0.relationship.maximumCount = bounds.upperBound }
    }

    /// Requires the destination to be unique: no two objects refer to the same one.
    public func unique() -> DeclaredRelationship { changing { $0.isUnique = true } }

    /// Adds an index on a to-one relationship.
    public func indexed() -> DeclaredRelationship { changing { $0.isIndexed = true } }

    /// Declares the name that the relationship had in an earlier version of the model.
    public func renamed(from name: String) -> DeclaredRelationship {
        changing { $0.relationship.renamingIdentifier = name }
    }

    /// Hashes a text into the fingerprint, to indicate a change that the model itself doesn't show.
    public func hashModifier(_ text: String) -> DeclaredRelationship {
        changing { $0.relationship.versionHashModifier = text }
    }
}
