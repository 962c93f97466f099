extension ModelChange: CustomStringConvertible {
    /// The change as a sentence.
    public var description: String { "\(name) \(verb)." }

    private var name: String {
        switch subject {
        case .entity: "Entity \(entityName)"
        case .attribute(let name): "Attribute \(entityName).\(name)"
        case .relationship(let name): "Relationship \(entityName).\(name)"
        }
    }

    private var verb: String {
        switch kind {
        case .added: "is new"
        case .removed: "is removed, with all of its data"
        case .renamed(let old): "was called \(old)"
        case .moved(let old, let new): Self.moved(old, new)
        case .abstract(let isAbstract):
            isAbstract ? "becomes abstract" : "is no longer abstract"
        case .type(let old, let new): "changes from \(old.words) to \(new.words)"
        case .storage(let old, let new): Self.storageSentence(old, new)
        case .transformer(let old, let new): "has the transformer \(new ?? "none"), not \(old ?? "none")"
        case .optional: "becomes optional"
        case .required(let initial): Self.required(initial)
        case .destination(let old, let new): "refers to \(new), not to \(old)"
        case .destinationsLost(let moved, let removed, let isRequired):
            "can no longer refer to \((moved + removed).joined(separator: ", ")): "
                + (isRequired
                    ? "it is required, so an object that refers to one stops the migration"
                    : "references to their objects are removed")
        case .toMany(let isToMany):
            isToMany ? "becomes to-many" : "becomes to-one"
        case .ordered(let isOrdered): isOrdered ? "becomes ordered" : "is no longer ordered"
        case .inverse(let old, let new): "has the inverse \(new ?? "none"), not \(old ?? "none")"
        case .deleteRule(let old, let new): "has the delete rule \(new.rawValue), not \(old.rawValue)"
        case .indexAdded(let index): "has a new index on \(Self.list(index))"
        case .indexRemoved(let index): "no longer has an index on \(Self.list(index))"
        case .uniqueAdded(let names): "must be unique by \(names.joined(separator: ", "))"
        case .uniqueRemoved(let names): "no longer must be unique by \(names.joined(separator: ", "))"
        }
    }

    private static func moved(_ old: String?, _ new: String?) -> String {
        switch (old, new) {
        case (let old?, let new?): "inherits from \(new), not from \(old)"
        case (nil, let new?): "inherits from \(new)"
        case (let old?, nil): "no longer inherits from \(old)"
        case (nil, nil): "inherits from nothing, as before"
        }
    }

    private static func storageSentence(_ old: AttributeStorage, _ new: AttributeStorage) -> String {
        switch (old, new) {
        case (.stored, .transient), (.derived, .transient): "becomes transient"
        case (.stored, .derived), (.transient, .derived): "becomes derived"
        case (.derived, .derived): "has another derivation"
        default: "becomes stored"
        }
    }

    private static func required(_ initial: AttributeDefault?) -> String {
        switch initial {
        case nil: "becomes required"
        case .value: "becomes required; objects without a value get the default"
        case .now: "becomes required; objects without a value get the time of the migration"
        case .newUUID: "becomes required; objects without a value get a new UUID each"
        }
    }

    private static func list(_ index: IndexDescription) -> String {
        let names = index.elements.map { $0.property + ($0.isDescending ? " (descending)" : "") }
        return names.joined(separator: ", ") + (index.predicate.map { " where \($0)" } ?? "")
    }
}

extension AttributeType {
    fileprivate var words: String {
        switch self {
        case .bool: "a Boolean"
        case .int16: "a 16-bit integer"
        case .int32: "a 32-bit integer"
        case .int64: "a 64-bit integer"
        case .float: "a 32-bit number"
        case .double: "a 64-bit number"
        case .decimal(let precision, let scale): "a decimal number (\(precision), \(scale))"
        case .string: "text"
        case .data: "data"
        case .date: "a date"
        case .uuid: "a UUID"
        case .url: "a URL"
        case .codable: "JSON"
        case .composite: "a composite"
        }
    }
}
