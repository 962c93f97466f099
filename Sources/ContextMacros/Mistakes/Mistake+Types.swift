/// Mistakes about a property's type and its value.
extension Mistake {
    static func implicitlyUnwrapped(_ name: String) -> Mistake {
        Mistake("'\(name)' can't be implicitly unwrapped: it is optional or it isn't")
    }

    static func unsupportedType(_ type: String, remedy: String?) -> Mistake {
        Mistake("No store keeps \(type)" + (remedy.map { "; \($0)" } ?? ""))
    }

    static func uncodedCollection(_ type: String) -> Mistake {
        Mistake("A value of type \(type) is kept as JSON, which the property must say: @Attribute(.codable)")
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
