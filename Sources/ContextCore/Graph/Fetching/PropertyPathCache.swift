import Synchronization

/// Remembers the paths that key paths name, so that a predicate in a loop costs no probe each time.
enum PropertyPathCache {
    private static let known = Mutex<[Path: FetchExpression]>([:])

    /// What a key path stands for: a path, or the count of the relationship that it ends with.
    static func expression<Root: ManagedObject>(of keyPath: PartialKeyPath<Root>) -> FetchExpression {
        let key = Path(keyPath: keyPath)
        if let expression = known.withLock({ $0[key] }) { return expression }
        let names = KeyPathProbe.names(of: keyPath)
        let expression = expression(of: keyPath, names)
        known.withLock { $0[key] = expression }
        return expression
    }

    /// The path that a key path names.
    static func path<Root: ManagedObject>(of keyPath: PartialKeyPath<Root>) -> PropertyPath {
        switch expression(of: keyPath) {
        case .path(let path): path
        default: PropertyPath(KeyPathProbe.names(of: keyPath))
        }
    }

    private static func expression<Root: ManagedObject>(
        of keyPath: PartialKeyPath<Root>, _ names: [String]
    ) -> FetchExpression {
        if keyPath == \Root.self { return .path(.itself) }
        precondition(
            !names.isEmpty,
            "The key path \(keyPath) reads no property of \(Root.self) that is part of the model, so no store can follow it."
        )
        switch KeyPathTail(keyPath, behind: names.count) {
        case .names(let rest): return .path(PropertyPath(names + rest))
        case .count: return .aggregate(FetchAggregate(.count, of: PropertyPath(names)))
        }
    }

    /// A key path as a dictionary's key.
    // Unchecked because key paths are immutable, and those of properties capture nothing.
    private struct Path: Hashable, @unchecked Sendable {
        let keyPath: AnyKeyPath
    }
}
