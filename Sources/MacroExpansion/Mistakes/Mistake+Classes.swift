/// Mistakes about the class that `@Entity` stands before.
extension Mistake {
    static func notAClass(_ name: String, kind: String) -> Mistake {
        Mistake("@Entity stands before a class of managed objects; '\(name)' is \(kind)")
    }

    static func missingSuperclass(_ name: String) -> Mistake {
        Mistake("'\(name)' needs a superclass: ManagedObject, or the class of another entity")
    }

    static func genericEntity(_ name: String) -> Mistake {
        Mistake("'\(name)' can't be generic: each property of an entity has one type")
    }

    static func sendableEntity(_ name: String) -> Mistake {
        Mistake(
            "'\(name)' can't be Sendable: a managed object stays in its context; send its objectID or a snapshot"
        )
    }

    static func repeatedEntity(_ name: String) -> Mistake {
        Mistake("'\(name)' has @Entity twice")
    }

    static func writtenMember(_ name: String) -> Mistake {
        let remedy =
            name == "entityName"
            ? "say @Entity(name:)" : "write the whole class by hand, or leave it to the macro"
        return Mistake("'\(name)' is written by @Entity: \(remedy)")
    }

    static func conditionalProperty(_ name: String) -> Mistake {
        Mistake("'\(name)' can't stand inside #if: an entity has the same properties in every build")
    }
}
