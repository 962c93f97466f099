/// What a word of a command line names, which determines its completions.
indirect enum WordKind: Sendable, Equatable {
    /// Text without completions.
    case text
    /// One of some words.
    case word([String])
    case file
    case folder
    /// The name of a store in the configuration.
    case store
    case tenant
    case entity
    /// An object, such as `Player:12`.
    case object
    /// A request, such as `Player where score > 10`.
    case request
    /// A property of the request's entity, or of an object that it refers to: `game.title`.
    case property
    /// A to-many relationship of the object that the operand before it names.
    case relationship
    /// An entity, or a property with its entity: `Player.score`.
    case modelPart
    /// A frozen version of the project's model.
    case version
    /// The number of a model in a store.
    case modelNumber
    /// A model file, or a word such as `store`.
    case model
    case backend
    /// Several words, separated by commas.
    case list(WordKind)
    /// One kind or the other.
    case either(WordKind, WordKind)
}

extension OptionDeclaration {
    /// What the option's value names; nil if its placeholder is unknown here.
    var valueKind: WordKind? {
        if !choices.isEmpty { return .word(choices) }
        switch (name, value ?? "") {
        // The user must type the name of a production store.
        case ("confirm", _): return .text
        case ("tenant", _), ("from", "NAME"), ("only", "PATTERN"): return .tenant
        case ("from", "URL"): return .either(.store, .file)
        case ("entity", _): return .list(.entity)
        // A model of Core Data, which is a file or a bundle.
        case ("coredata", _): return .file
        // Properties of the entity that another option names.
        case ("key", _): return .text
        case ("fields", _), ("order", _): return .list(.property)
        case (_, "A,B"): return .list(.modelPart)
        case (_, "OLD:NEW"), (_, "NAME=EXPRESSION"), (_, "NAME=REASON"), (_, "NAME=RULE"): return .modelPart
        case (_, "OBJECT"): return .object
        case (_, "STORE"): return .store
        case (_, "VERSION"): return .version
        case (_, "MODEL"): return .model
        case (_, "BACKEND"): return .backend
        case (_, "KINDS"): return .list(.word(StoreFinding.Kind.allCases.map(\.rawValue)))
        case (_, "WHERE"): return .either(.word(["auto", "none"]), .file)
        case (_, "FILE"): return .file
        case (_, "FOLDER"), (_, "PATH"): return .folder
        case (_, "C"), (_, "COLUMN=PROPERTY"), (_, "CURSOR"), (_, "DIGEST"), (_, "N"), (_, "NAME"),
            (_, "PATTERN"),
            (_, "PREDICATE"), (_, "TEXT"), (_, "TIME"), (_, "URL"):
            return .text
        default: return nil
        }
    }
}

extension CommandDeclaration.Operand {
    /// What the operand names; nil if its name is unknown here.
    var kind: WordKind? {
        switch name {
        case "SOURCE", "DESTINATION", "FIRST", "SECOND": .store
        case "ENTITY": .entity
        case "OBJECT": .object
        case "REQUEST": .request
        case "RELATIONSHIP": .relationship
        case "FROM", "TO": .version
        case "VERSION": .modelNumber
        case "OLD", "NEW": .model
        case "FILE": .file
        case "FOLDER": .folder
        case "SHELL": .word(CompletionCommand.shells)
        case "NAME", "SAVE", "STATEMENT": .text
        default: nil
        }
    }
}
