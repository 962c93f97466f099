/// Mistakes about a property's type and its value.
extension Mistake {
    static func implicitlyUnwrapped(_ name: String) -> Mistake {
        Mistake("'\(name)' can't be implicitly unwrapped: it is optional or it isn't")
    }

    static func unsupportedType(_ type: String, remedy: String?) -> Mistake {
        Mistake("No store keeps \(type)" + (remedy.map { "; \($0)" + wayOut(of: type) } ?? ""))
    }

    static func uncodedCollection(_ type: String) -> Mistake {
        Mistake("A value of type \(type) is kept as JSON, which the property must say: @Attribute(.codable)")
    }

    /// What else helps where the name is that of a standard type and of a class in the program: a macro sees only the name.
    static func wayOut(of type: String) -> String {
        guard let name = StandardTypes.nameOfClass(in: type) else { return "" }
        return "; if \(name) is a class of yours, write its module before it"
    }

    static func optionalToMany(_ name: String) -> Mistake {
        Mistake("'\(name)' can't be optional: a to-many relationship without objects is empty")
    }

    static func optionalElement(_ name: String) -> Mistake {
        Mistake("'\(name)' can't hold optionals: a to-many relationship leads to objects")
    }

    static func twoDefaults(_ name: String) -> Mistake {
        Mistake("'\(name)' has two defaults: its initial value and the argument 'default'")
    }

    static func varyingDefault(_ name: String, _ call: String) -> Mistake {
        Mistake(
            """
            '\(call)' gives another value each time, and '\(name)' begins with one value in every object: set it in an \
            initialiser of your own
            """)
    }

    static func unreadableDefault(_ name: String) -> Mistake {
        Mistake(
            "The default of '\(name)' must be a literal, .now, .newUUID or .constant(…): a macro sees only what is written"
        )
    }

    static func dynamicDefault(_ name: String) -> Mistake {
        Mistake("The default of '\(name)' can't say 'Self': Swift allows no such default in a class")
    }

    static func transientWithoutDefault(_ name: String) -> Mistake {
        Mistake(
            "'\(name)' needs an initial value, or to be optional: no store gives a @Transient property one")
    }

    static func derivedDefault(_ name: String) -> Mistake {
        Mistake("'\(name)' can't have an initial value: the store works it out")
    }

    static func pathNotKeyPath(_ marker: String) -> Mistake {
        Mistake("@\(marker) needs key path literals, such as \\.title: a macro sees only what is written")
    }

    static func unknownProperty(_ path: String, of name: String) -> Mistake {
        Mistake("'\(name)' has no property '\(path)' that is kept")
    }
}
