/// Errors about a property's type and its default value.
extension MacroError {
    static func implicitlyUnwrapped(_ name: String) -> MacroError {
        MacroError("'\(name)' can't be implicitly unwrapped: make it optional or nonoptional")
    }

    static func unsupportedType(_ type: String, remedy: String?) -> MacroError {
        MacroError("\(type) can't be stored" + (remedy.map { "; \($0)" + qualificationHint(of: type) } ?? ""))
    }

    static func uncodedCollection(_ type: String) -> MacroError {
        MacroError("A value of type \(type) is stored as JSON: add @Attribute(.codable)")
    }

    /// Returns a hint if the type's name could also be that of a class in the program, such as `Data`: a macro sees only the name.
    static func qualificationHint(of type: String) -> String {
        guard let name = StandardTypes.ambiguousName(in: type) else { return "" }
        return "; if \(name) is a class of your program, write its module before it"
    }

    static func optionalToMany(_ name: String) -> MacroError {
        MacroError("'\(name)' can't be optional: a to-many relationship without objects is empty")
    }

    static func optionalElement(_ name: String) -> MacroError {
        MacroError("'\(name)' can't contain optionals: the members of a to-many relationship are objects")
    }

    static func twoDefaults(_ name: String) -> MacroError {
        MacroError(
            "'\(name)' has two defaults, its initial value and the argument 'default': remove one of them"
        )
    }

    static func varyingDefault(_ name: String, _ call: String) -> MacroError {
        MacroError(
            """
            '\(call)' has a different value at each call, but the default of '\(name)' is the same for all objects: set it in \
            an initializer of the class
            """)
    }

    static func unreadableDefault(_ name: String) -> MacroError {
        MacroError(
            "The default of '\(name)' must be a literal, .now, .newUUID or .constant(…): a macro can't evaluate expressions"
        )
    }

    static func misplacedDefaultForm(_ name: String, form: String, replacement: String) -> MacroError {
        MacroError(
            "'\(form)' is only for the argument 'default': the initial value of '\(name)' is written \(replacement)"
        )
    }

    static func dynamicDefault(_ name: String) -> MacroError {
        MacroError("The default of '\(name)' can't use 'Self': Swift doesn't allow it in a class")
    }

    static func transientWithoutDefault(_ name: String) -> MacroError {
        MacroError(
            "'\(name)' needs an initial value or an optional type: a @Transient property isn't loaded from the store"
        )
    }

    static func derivedDefault(_ name: String) -> MacroError {
        MacroError("'\(name)' can't have an initial value: the store computes it")
    }

    static func pathNotKeyPath(_ marker: String) -> MacroError {
        MacroError("@\(marker) needs key path literals, such as \\.title: a macro can't evaluate expressions")
    }

    static func unknownProperty(_ path: String, of name: String) -> MacroError {
        MacroError("'\(name)' has no stored property '\(path)': correct the key path")
    }
}
