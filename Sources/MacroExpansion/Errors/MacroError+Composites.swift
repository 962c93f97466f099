/// Errors about the struct with `@Composite`.
extension MacroError {
    static func notAStruct(_ name: String, kind: String) -> MacroError {
        MacroError("@Composite can be applied only to a struct; '\(name)' is \(kind)")
    }

    static func genericComposite(_ name: String) -> MacroError {
        MacroError("'\(name)' can't be generic: each part of a composite has one type")
    }

    static func emptyComposite(_ name: String) -> MacroError {
        MacroError("'\(name)' has no stored properties: a composite needs at least one")
    }

    static func relationshipPart(_ name: String) -> MacroError {
        MacroError("'\(name)' can't be a relationship: the parts of a composite are attributes")
    }

    static func markedPart(_ name: String, marker: String) -> MacroError {
        MacroError("'\(name)' can't be @\(marker): the parts of a composite are stored attributes")
    }

    static func encodedPart(_ name: String) -> MacroError {
        MacroError("'\(name)' can't be stored as JSON or transformed: the parts of a composite are columns")
    }

    static func constrainedPart(_ name: String, option: String) -> MacroError {
        MacroError(
            "'\(name)' can't be .\(option) in a composite: use @Entity(\(option == "indexed" ? "indexes" : option):) where the composite is used"
        )
    }

    static func fixedPart(_ name: String) -> MacroError {
        MacroError("'\(name)' can't be a constant with an initial value: it is set from the store")
    }

    static func missingInitializer(_ name: String, labels: String) -> MacroError {
        MacroError("'\(name)' needs init(\(labels)), with a parameter for each part in order")
    }
}
