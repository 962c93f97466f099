/// Errors about relationships.
extension MacroError {
    static func missingInverse(_ name: String, to destination: String) -> MacroError {
        MacroError(
            """
            '\(name)' needs an inverse: the property of \(destination) that references this entity; if \(destination) is a \
            value type, use @Attribute(.codable)
            """)
    }

    static func inverseNotKeyPath(_ name: String) -> MacroError {
        MacroError("The inverse of '\(name)' must be a key path literal, such as \\Player.game")
    }

    static func multiStepInverse(_ name: String) -> MacroError {
        MacroError("The inverse of '\(name)' must be a single property of the destination class")
    }

    static func circularInverse(_ name: String, _ inverse: String) -> MacroError {
        let subject =
            name == inverse ? "'\(name)' refers to itself" : "'\(name)' and '\(inverse)' refer to each other"
        return MacroError(
            "\(subject) with the class name, which is a circular reference in Swift: write \\.\(inverse)")
    }

    static func valueAsRelationship(_ name: String, type: String) -> MacroError {
        MacroError(
            "'\(name)' can't be a relationship: \(type) is a value, not a class of managed objects"
                + qualificationHint(of: type))
    }

    static func collectionAsAttribute(_ name: String) -> MacroError {
        MacroError(
            "'\(name)' is a collection: use @Relationship(inverse:) for objects, @Attribute(.codable) for values"
        )
    }

    static func countOfToOneRelationship(_ name: String) -> MacroError {
        MacroError(
            "'\(name)' is a to-one relationship: only to-many relationships can have minimumCount and maximumCount"
        )
    }

    static func relationshipDefault(_ name: String) -> MacroError {
        MacroError("'\(name)' can't have an initial value: a relationship starts empty")
    }
}
