/// A cache of the property paths of key paths, so that a predicate in a loop doesn't probe its key paths each time.
enum PropertyPathCache {
    private static let expressions = KeyPathCache<FetchExpression>()

    /// Returns the expression of a key path: a path, or the count of a to-many relationship.
    static func expression<Root: ManagedObject>(of keyPath: PartialKeyPath<Root>) -> FetchExpression {
        expressions.value(for: keyPath) { findExpression(of: keyPath) }
    }

    /// Returns the property path of a key path.
    static func path<Root: ManagedObject>(of keyPath: PartialKeyPath<Root>) -> PropertyPath {
        switch expression(of: keyPath) {
        case .path(let path): path
        default: PropertyPath(KeyPathProbe.names(of: keyPath))
        }
    }

    private static func findExpression<Root: ManagedObject>(
        of keyPath: PartialKeyPath<Root>
    ) -> FetchExpression {
        if keyPath == \Root.self || keyPath == \Root.objectID { return .path(.itself) }
        let names = KeyPathProbe.names(of: keyPath)
        requirePrecondition(
            !names.isEmpty,
            "The key path \(keyPath) reads no property of \(Root.self) that is part of the model, so it can't be used in a request."
        )
        let tail = KeyPathTail(keyPath, after: names.count)
        // An object's identifier is compared like the object.
        let type = Swift.type(of: keyPath).valueType
        if type == ObjectID.self || type == ObjectID?.self { return .path(PropertyPath(names)) }
        requirePrecondition(
            KeyPathProbe.isStored(keyPath),
            """
            The key path \(keyPath) uses a computed property: it reads “\(names.joined(separator: "”, “"))” and changes the value, \
            which a store can't evaluate. Use a stored property of \(Root.self), or fetch the objects first and filter them.
            """)
        switch tail {
        case .names(let rest): return .path(PropertyPath(names + rest))
        case .count: return .aggregate(FetchAggregate(.count, of: PropertyPath(names)))
        }
    }
}

extension KeyPathProbe {
    /// Whether a key path returns exactly the value of its last property, for sample values and for nil.
    ///
    /// A computed property that returns another property unchanged counts as stored. A computed property that changes
    /// only few values may be mistaken for a stored one, because only two samples are tried.
    static func isStored<Root: ManagedObject>(_ keyPath: PartialKeyPath<Root>) -> Bool {
        let type = Swift.type(of: keyPath).valueType
        let empty = KeyPathProbe()
        let nothing = empty.anyValue(at: keyPath)
        let tail = KeyPathTail(keyPath, after: empty.names.count)
        for samples in AttributeSamples.allCases {
            let full = KeyPathProbe(returning: .samples(samples))
            let sample = full.anyValue(at: keyPath)
            guard empty.names == full.names, full.lastValue.matches(sample, of: type, after: tail) else {
                return false
            }
            // JSON and results of transformers can't be compared.
            if case .incomparable = full.lastValue { return true }
        }
        return empty.lastValue.matches(nothing, of: type, after: tail)
    }
}
