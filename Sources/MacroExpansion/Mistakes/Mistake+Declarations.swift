/// Mistakes about how a property is declared.
extension Mistake {
    static func constant(_ name: String) -> Mistake {
        Mistake("'\(name)' must be 'var': its context sets it when it loads the object")
    }

    static func severalNames(isPart: Bool) -> Mistake {
        Mistake(
            isPart
                ? "Each part of a composite needs a 'var' or 'let' of its own"
                : "Each property of an entity needs a 'var' of its own")
    }

    static func missingType(_ name: String) -> Mistake {
        Mistake("'\(name)' needs its type written out: a macro can't infer it")
    }

    static func computed(_ name: String, marker: String) -> Mistake {
        Mistake(
            "@\(marker) can't stand before '\(name)', which is computed: a store keeps only stored properties"
        )
    }

    static func typeProperty(_ name: String, marker: String) -> Mistake {
        Mistake(
            "@\(marker) can't stand before '\(name)', which belongs to the class: a store keeps what each object has"
        )
    }

    static func observed(_ name: String, observer: String) -> Mistake {
        Mistake("'\(name)' can't have \(observer): its accessors come from @Entity")
    }

    static func modified(_ name: String, modifier: String, isPart: Bool) -> Mistake {
        let reason =
            isPart ? "a part of a composite is a plain value" : "its value lives in the object's context"
        return Mistake("'\(name)' can't be '\(modifier)': \(reason)")
    }

    static func overridden(_ name: String) -> Mistake {
        Mistake("'\(name)' can't override: a property belongs to the entity that declares it first")
    }

    static func reservedName(_ name: String, isPart: Bool) -> Mistake {
        Mistake(
            isPart
                ? "'\(name)' is a name that Swift or every composite has already; the part needs another"
                : "'\(name)' is a name that every managed object has already; the property needs another")
    }

    static func invalidName(_ name: String) -> Mistake {
        Mistake(
            "'\(name)' can't be a column's name: use ASCII letters, digits and underscores, and a letter first"
        )
    }

    static func twoMarkers(_ name: String, _ first: String, _ second: String) -> Mistake {
        Mistake("'\(name)' can't be both @\(first) and @\(second)")
    }

    static func repeatedMarker(_ name: String, _ marker: String) -> Mistake {
        Mistake("'\(name)' has @\(marker) twice")
    }

    static func argumentNotWritten(_ label: String, form: String) -> Mistake {
        Mistake("The argument '\(label)' must be \(form): a macro sees only what is written")
    }

    static func misplacedMarker(_ marker: String) -> Mistake {
        Mistake("@\(marker) belongs before a stored property of an @Entity class")
    }
}
