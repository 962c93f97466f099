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

    /// Makes a to-one relationship always lead to an object.
    public func required() -> DeclaredRelationship {
        changing { $0.relationship.isOptional = false }
    }

    /// Keeps the objects of a to-many relationship in an order.
    public func ordered() -> DeclaredRelationship {
        changing { $0.relationship.isOrdered = true }
    }

    /// Bounds the number of objects of a to-many relationship.
    public func count(_ bounds: ClosedRange<Int>) -> DeclaredRelationship {
        changing {
            $0.relationship.minimumCount = bounds.lowerBound
            $0.relationship.maximumCount = bounds.upperBound
        }
    }

    /// Gives a to-many relationship a least number of objects.
    public func count(_ bounds: PartialRangeFrom<Int>) -> DeclaredRelationship {
        changing { $0.relationship.minimumCount = bounds.lowerBound }
    }

    /// Gives a to-many relationship a greatest number of objects.
    public func count(_ bounds: PartialRangeThrough<Int>) -> DeclaredRelationship {
        changing { $0.relationship.maximumCount = bounds.upperBound }
    }

    /// Lets no two objects lead to the same one.
    public func unique() -> DeclaredRelationship { changing { $0.isUnique = true } }

    /// Gives a to-one relationship an index of its own.
    public func indexed() -> DeclaredRelationship { changing { $0.isIndexed = true } }

    /// Names the relationship's name in an earlier version of the model.
    public func renamed(from name: String) -> DeclaredRelationship {
        changing { $0.relationship.renamingIdentifier = name }
    }

    /// Changes the fingerprint where nothing else does.
    public func hashModifier(_ text: String) -> DeclaredRelationship {
        changing { $0.relationship.versionHashModifier = text }
    }
}
