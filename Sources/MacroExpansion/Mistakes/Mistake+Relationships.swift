/// Mistakes about relationships.
extension Mistake {
    static func missingInverse(_ name: String, to destination: String) -> Mistake {
        Mistake(
            """
            '\(name)' needs an inverse: the property of \(destination) that leads back; if \(destination) is a value, \
            say @Attribute(.codable)
            """)
    }

    static func inverseNotKeyPath(_ name: String) -> Mistake {
        Mistake("The inverse of '\(name)' must be a key path literal, such as \\Player.game")
    }

    static func inverseOfManySteps(_ name: String) -> Mistake {
        Mistake("The inverse of '\(name)' must be one property of the class at the other end")
    }

    static func circularInverse(_ name: String, _ inverse: String) -> Mistake {
        let subject =
            name == inverse ? "'\(name)' names itself" : "'\(name)' and '\(inverse)' name each other"
        return Mistake("\(subject) with the class, which Swift can't resolve: write \\.\(inverse)")
    }

    static func valueAsRelationship(_ name: String, type: String) -> Mistake {
        Mistake(
            "'\(name)' can't be a relationship: \(type) is a value, not a class of managed objects"
                + wayOut(of: type))
    }

    static func collectionAsAttribute(_ name: String) -> Mistake {
        Mistake(
            "'\(name)' is a collection: @Relationship(inverse:) leads to objects, @Attribute(.codable) keeps values"
        )
    }

    static func countsOfToOne(_ name: String) -> Mistake {
        Mistake("'\(name)' leads to one object at most; only to-many relationships have counts")
    }

    static func relationshipDefault(_ name: String) -> Mistake {
        Mistake("'\(name)' can't have an initial value: a relationship begins empty")
    }
}
