/// Errors about relationships.
extension Mistake {
    static func missingInverse(_ name: String, to destination: String) -> Mistake {
        Mistake(
            """
            '\(name)' needs an inverse: the property of \(destination) that references this entity; if \(destination) is a \
            value type, use @Attribute(.codable)
            """)
    }

    static func inverseNotKeyPath(_ name: String) -> Mistake {
        Mistake("The inverse of '\(name)' must be a key path literal, such as \\Player.game")
    }

    static func inverseOfManySteps(_ name: String) -> Mistake {
        Mistake("The inverse of '\(name)' must be a single property of the destination class")
    }

    static func circularInverse(_ name: String, _ inverse: String) -> Mistake {
        let subject =
            name == inverse ? "'\(name)' refers to itself" : "'\(name)' and '\(inverse)' refer to each other"
        return Mistake(
            "\(subject) with the class name, which is a circular reference in Swift: write \\.\(inverse)")
    }

    static func valueAsRelationship(_ name: String, type: String) -> Mistake {
        Mistake(
            "'\(name)' can't be a relationship: \(type) is a value, not a class of managed objects"
                + qualificationHint(of: type))
    }

    static func collectionAsAttribute(_ name: String) -> Mistake {
        Mistake(
            "'\(name)' is a collection: use @Relationship(inverse:) for objects, @Attribute(.codable) for values"
        )
    }

    static func countsOfToOne(_ name: String) -> Mistake {
        Mistake(
            "'\(name)' is a to-one relationship: only to-many relationships can have minimumCount and maximumCount"
        )
    }

    static func relationshipDefault(_ name: String) -> Mistake {
        Mistake("'\(name)' can't have an initial value: a relationship starts empty")
    }
}
