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
        case .removed: "is gone, with everything that it holds"
        case .renamed(let old): "was called \(old)"
        case .moved(let old, let new): Self.moved(old, new)
        case .abstract(let isAbstract):
            isAbstract ? "has no objects of its own any more" : "has objects of its own"
        case .type(let old, let new): "becomes \(new.words), from \(old.words)"
        case .storage(let old, let new): Self.kept(old, new)
        case .transformer(let old, let new): "has the transformer \(new ?? "none"), not \(old ?? "none")"
        case .optional: "may have no value"
        case .required(let initial): Self.required(initial)
        case .destination(let old, let new): "leads to \(new), not to \(old)"
        case .destinationsLost(let moved, let removed, let isRequired):
            "can't refer to \((moved + removed).joined(separator: ", ")) any more: "
                + (isRequired
                    ? "it is required, so an object that refers to one stops the migration"
                    : "references to their objects are removed")
        case .toMany(let isToMany):
            isToMany ? "leads to many objects, not to one" : "leads to one object, not to many"
        case .ordered(let isOrdered): isOrdered ? "keeps an order" : "keeps no order any more"
        case .inverse(let old, let new): "has the inverse \(new ?? "none"), not \(old ?? "none")"
        case .deleteRule(let old, let new): "has the delete rule \(new.rawValue), not \(old.rawValue)"
        case .indexAdded(let index): "has a new index over \(Self.list(index))"
        case .indexRemoved(let index): "has no index over \(Self.list(index)) any more"
        case .uniqueAdded(let names): "must be unique by \(names.joined(separator: ", "))"
        case .uniqueRemoved(let names): "needn't be unique by \(names.joined(separator: ", ")) any more"
        }
    }

    private static func moved(_ old: String?, _ new: String?) -> String {
        switch (old, new) {
        case (let old?, let new?): "inherits from \(new), not from \(old)"
        case (nil, let new?): "inherits from \(new)"
        case (let old?, nil): "inherits from \(old) no more"
        case (nil, nil): "stays where it is"
        }
    }

    private static func kept(_ old: AttributeStorage, _ new: AttributeStorage) -> String {
        switch (old, new) {
        case (.stored, .transient), (.derived, .transient): "is kept in the object only"
        case (.stored, .derived), (.transient, .derived): "is worked out by the store"
        case (.derived, .derived): "is worked out otherwise"
        default: "is stored"
        }
    }

    private static func required(_ initial: AttributeDefault?) -> String {
        switch initial {
        case nil: "must have a value"
        case .value: "must have a value; those without one get the default"
        case .now: "must have a value; those without one get the moment of the migration"
        case .newUUID: "must have a value; those without one get a new UUID each"
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
        case .date: "a moment"
        case .uuid: "a UUID"
        case .url: "a URL"
        case .codable: "JSON"
        case .composite: "a composite"
        }
    }
}
