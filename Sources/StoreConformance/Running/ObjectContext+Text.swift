import ContextCore

extension ObjectContext {
    /// Fetches objects with a predicate and an order that are given as text.
    func find<Object: ManagedObject>(
        _ type: Object.Type, _ text: String? = nil, _ arguments: any PredicateArgument...,
        order: String? = nil,
        limit: Int? = nil, offset: Int = 0
    ) throws -> [Object] {
        try fetch(
            FetchRequest(
                where: text.map { try FetchPredicate($0, arguments: arguments) },
                order: order.map { try SortKey.keys($0) } ?? [], limit: limit, offset: offset))
    }

    /// Returns the only object that satisfies a predicate, and throws if none or several do.
    func only<Object: ManagedObject>(
        _ type: Object.Type, _ text: String? = nil, _ arguments: any PredicateArgument...,
        file: String = #fileID, line: Int = #line
    ) throws -> Object {
        let found = try fetch(
            FetchRequest<Object>(where: text.map { try FetchPredicate($0, arguments: arguments) }))
        try expectEqual(
            found.count, 1, "The number of \(type)s with \(text ?? "any value")", file: file, line: line)
        return found[0]
    }
}
