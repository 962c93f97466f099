/// Mistakes about the struct that `@Composite` stands before.
extension Mistake {
    static func notAStruct(_ name: String, kind: String) -> Mistake {
        Mistake("@Composite stands before a struct; '\(name)' is \(kind)")
    }

    static func genericComposite(_ name: String) -> Mistake {
        Mistake("'\(name)' can't be generic: each part of a composite has one type")
    }

    static func emptyComposite(_ name: String) -> Mistake {
        Mistake("'\(name)' has no stored properties to keep")
    }

    static func relationshipPart(_ name: String) -> Mistake {
        Mistake("'\(name)' can't be a relationship: the parts of a composite are attributes")
    }

    static func markedPart(_ name: String, marker: String) -> Mistake {
        Mistake("'\(name)' can't be @\(marker): the parts of a composite are stored attributes")
    }

    static func encodedPart(_ name: String) -> Mistake {
        Mistake("'\(name)' can't be kept as JSON or be transformed: the parts of a composite are columns")
    }

    static func constrainedPart(_ name: String, option: String) -> Mistake {
        Mistake(
            "'\(name)' can't be .\(option) by itself: say @Entity(\(option == "indexed" ? "indexes" : option):) where the composite is used"
        )
    }

    static func fixedPart(_ name: String) -> Mistake {
        Mistake("'\(name)' can't be a constant with a value: a store sets it")
    }

    static func missingInitialiser(_ name: String, labels: String) -> Mistake {
        Mistake("'\(name)' needs init(\(labels)), which takes every part in order")
    }
}
