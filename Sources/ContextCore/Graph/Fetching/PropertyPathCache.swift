/// Remembers the paths that key paths name, so that a predicate in a loop costs no probe each time.
enum PropertyPathCache {
    private static let expressions = KeyPathCache<FetchExpression>()

    /// What a key path stands for: a path, or the count of the relationship that it ends with.
    static func expression<Root: ManagedObject>(of keyPath: PartialKeyPath<Root>) -> FetchExpression {
        expressions.finding(about: keyPath) { findExpression(of: keyPath) }
    }

    /// The path that a key path names.
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
            "The key path \(keyPath) reads no property of \(Root.self) that is part of the model, so no store can follow it."
        )
        let tail = KeyPathTail(keyPath, behind: names.count)
        // An object's identifier stands for the object.
        let type = Swift.type(of: keyPath).valueType
        if type == ObjectID.self || type == ObjectID?.self { return .path(PropertyPath(names)) }
        requirePrecondition(
            KeyPathProbe.isStored(keyPath),
            """
            The key path \(keyPath) leads to a computed property: it reads “\(names.joined(separator: "”, “"))” and makes \
            something of it that no store knows. Name a stored property of \(Root.self), or fetch first and filter the objects.
            """)
        switch tail {
        case .names(let rest): return .path(PropertyPath(names + rest))
        case .count: return .aggregate(FetchAggregate(.count, of: PropertyPath(names)))
        }
    }
}

extension KeyPathProbe {
    /// Whether a key path answers just what the last property on its way does, be that a sample or nothing.
    ///
    /// A computed property that passes on what it reads is as good as stored: a store answers the same. One that passes on
    /// nearly everything can't be told from it: it is tried with a few values, not with all.
    static func isStored<Root: ManagedObject>(_ keyPath: PartialKeyPath<Root>) -> Bool {
        let type = Swift.type(of: keyPath).valueType
        let empty = KeyPathProbe()
        let nothing = empty.anyValue(at: keyPath)
        let tail = KeyPathTail(keyPath, behind: empty.names.count)
        for samples in AttributeSamples.allCases {
            let full = KeyPathProbe(answering: .samples(samples))
            let sample = full.anyValue(at: keyPath)
            guard empty.names == full.names, full.lastAnswer.isAnswer(sample, of: type, behind: tail) else {
                return false
            }
            // Of JSON, and of what a transformer makes, nothing can be told.
            if case .anything = full.lastAnswer { return true }
        }
        return empty.lastAnswer.isAnswer(nothing, of: type, behind: tail)
    }
}
