/// Errors in the declaration of a property.
extension MacroError {
    static func constant(_ name: String) -> MacroError {
        MacroError("'\(name)' must be 'var': the context sets it when it loads the object")
    }

    static func severalNames(isPart: Bool) -> MacroError {
        MacroError(
            isPart
                ? "Each part of a composite needs its own 'var' or 'let'"
                : "Each property of an entity needs its own 'var'")
    }

    static func missingType(_ name: String) -> MacroError {
        MacroError("'\(name)' needs an explicit type: a macro can't infer it")
    }

    static func computed(_ name: String, marker: String) -> MacroError {
        MacroError(
            "@\(marker) can't be applied to the computed property '\(name)': only stored properties are persistent"
        )
    }

    static func typeProperty(_ name: String, marker: String) -> MacroError {
        MacroError(
            "@\(marker) can't be applied to the type property '\(name)': only instance properties are persistent"
        )
    }

    static func observed(_ name: String, observer: String) -> MacroError {
        MacroError("'\(name)' can't have \(observer): @Entity generates its accessors")
    }

    static func modified(_ name: String, modifier: String, isPart: Bool) -> MacroError {
        let reason =
            isPart ? "a part of a composite is a plain value" : "its value is stored in the object's context"
        return MacroError("'\(name)' can't be '\(modifier)': \(reason)")
    }

    static func overridden(_ name: String) -> MacroError {
        MacroError("'\(name)' can't override a property of a superentity: remove it, or choose another name")
    }

    static func reservedName(_ name: String, isPart: Bool) -> MacroError {
        MacroError(
            isPart
                ? "'\(name)' is reserved by CompositeValue or Swift: choose another name for the part"
                : "'\(name)' is reserved by ManagedObject or Swift: choose another name for the property")
    }

    static func invalidName(_ name: String) -> MacroError {
        MacroError(
            "'\(name)' can't be a column name: use ASCII letters, digits and underscores, starting with a letter"
        )
    }

    static func twoMarkers(_ name: String, _ first: String, _ second: String) -> MacroError {
        MacroError("'\(name)' can't be both @\(first) and @\(second): remove one of them")
    }

    static func repeatedMarker(_ name: String, _ marker: String) -> MacroError {
        MacroError("'\(name)' has @\(marker) twice: remove one of them")
    }

    static func nonLiteralArgument(_ label: String, form: String) -> MacroError {
        MacroError("The argument '\(label)' must be \(form): a macro can't evaluate expressions")
    }

    static func misplacedMarker(_ marker: String) -> MacroError {
        MacroError(
            "@\(marker) can be applied only to a stored property in an @Entity class or an @Composite struct"
        )
    }
}
