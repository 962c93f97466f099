// Values and aggregates with key paths; all of them take pending changes into account.
extension ObjectContext {
    /// Returns the sum of a property over all objects that match a predicate; zero if there are none.
    ///
    /// ```swift
    /// let total = try context.sum(\Player.score, where: \.game?.title == "Go")
    /// ```
    ///
    /// - Throws: ``StoreError/Code/unsupportedRequest`` if the sum doesn't fit its type.
    public func sum<Object: ManagedObject, Value: AttributeValue>(
        _ path: KeyPath<Object, Value>, where predicate: TypedPredicate<Object>? = nil
    ) throws -> Value {
        try aggregate(Object.self, .sum(path), where: predicate)
    }

    /// Returns the average of a property over all objects that match a predicate; nil if there are no values.
    public func average<Object: ManagedObject, Value: AttributeValue>(
        _ path: KeyPath<Object, Value>, where predicate: TypedPredicate<Object>? = nil
    ) throws -> Double? {
        try aggregate(Object.self, .average(path), where: predicate)
    }

    /// Returns the minimum of a property over all objects that match a predicate; nil if there are no values.
    public func minimum<Object: ManagedObject, Value: AttributeValue>(
        _ path: KeyPath<Object, Value>, where predicate: TypedPredicate<Object>? = nil
    ) throws -> Value? {
        try aggregate(Object.self, .minimum(path), where: predicate)
    }

    /// Returns the maximum of a property over all objects that match a predicate; nil if there are no values.
    public func maximum<Object: ManagedObject, Value: AttributeValue>(
        _ path: KeyPath<Object, Value>, where predicate: TypedPredicate<Object>? = nil
    ) throws -> Value? {
        try aggregate(Object.self, .maximum(path), where: predicate)
    }

    /// Returns several aggregates over all objects that match a predicate.
    ///
    /// ```swift
    /// let (count, best) = try context.aggregate(Player.self, .count(), .maximum(\.score))
    /// ```
    public func aggregate<Object: ManagedObject, each Value: AttributeValue>(
        _ type: Object.Type, _ expressions: repeat TypedExpression<Object, each Value>,
        where predicate: TypedPredicate<Object>? = nil
    ) throws -> (repeat each Value) {
        var columns: [ValueColumn] = []
        repeat columns.append(ValueColumn((each expressions).expression, as: ""))
        let entity = graph.layout(of: type)
        let request = ValueRequest(entity.name, columns, where: predicate?.predicate)
        var reader = RowValueReader(try resultRows(request, entity).first ?? [])
        return (repeat try reader.next(of: each expressions))
    }

    /// Returns the values of a property of all objects that match a predicate.
    ///
    /// ```swift
    /// let names = try context.values(of: \Player.name, order: .ascending(\.name), distinct: true)
    /// ```
    public func values<Object: ManagedObject, Value: AttributeValue>(
        of path: KeyPath<Object, Value>, where predicate: TypedPredicate<Object>? = nil,
        order: TypedSortKey<Object>..., distinct: Bool = false, limit: Int? = nil, offset: Int = 0
    ) throws -> [Value] {
        let expression = TypedExpression<Object, Value>(PropertyPathCache.expression(of: path))
        let entity = graph.layout(of: Object.self)
        let request = ValueRequest(
            entity.name, [ValueColumn(expression.expression, as: "")], where: predicate?.predicate,
            order: order.map(\.key), isDistinct: distinct, limit: limit, offset: offset)
        return try resultRows(request, entity).map { row in
            var reader = RowValueReader(row)
            return try reader.next(of: expression)
        }
    }

    /// Groups objects by a property and returns aggregates over each group.
    ///
    /// ```swift
    /// for (title, count, best) in try context.groups(
    ///     of: Player.self, by: \.game?.title, .count(), .maximum(\.score),
    ///     having: .count() > 1, order: .descending(by: .count()))
    /// {
    ///     print(title ?? "no game", count, best ?? 0)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The class of the objects.
    ///   - path: The property by which to group. Objects without a value form a group too.
    ///   - aggregates: The aggregates over each group.
    ///   - predicate: The condition that the objects satisfy.
    ///   - having: The condition that the groups satisfy, with aggregates and the group's property.
    ///   - order: The order of the groups; by the group's property by default.
    public func groups<Object: ManagedObject, Key: AttributeValue, each Value: AttributeValue>(
        of type: Object.Type, by path: KeyPath<Object, Key>,
        _ aggregates: repeat TypedExpression<Object, each Value>,
        where predicate: TypedPredicate<Object>? = nil,
        having: TypedPredicate<Object>? = nil, order: TypedSortKey<Object>...
    ) throws -> [(Key, repeat each Value)] {
        let key = TypedExpression<Object, Key>(.path(PropertyPathCache.path(of: path)))
        var columns = [ValueColumn(key.expression, as: "")]
        repeat columns.append(ValueColumn((each aggregates).expression, as: ""))
        let entity = graph.layout(of: type)
        let request = ValueRequest(
            entity.name, columns, where: predicate?.predicate, groupBy: [PropertyPathCache.path(of: path)],
            having: having?.predicate, order: keys(of: order))
        return try resultRows(request, entity).map { row in
            var reader = RowValueReader(row)
            return (try reader.next(of: key), repeat try reader.next(of: each aggregates))
        }
    }
}

// At file scope, because key paths in functions with parameter packs crash the runtime of Swift 6.3.
private func keys<Object: ManagedObject>(of order: [TypedSortKey<Object>]) -> [SortKey] { order.map(\.key) }

/// Reads the values of a result row one by one.
private struct RowValueReader {
    private var values: ArraySlice<StoredValue>

    init(_ row: [StoredValue]) { values = row[...] }

    mutating func next<Root, Value: AttributeValue>(of expression: TypedExpression<Root, Value>) throws
        -> Value
    {
        try expression.value(of: values.popFirst() ?? .null)
    }
}

extension TypedExpression where Value: AttributeValue {
    /// Converts a stored value to the expression's Swift type.
    func value(of stored: StoredValue) throws -> Value {
        guard let value = Value(storedValue: stored) else {
            throw StoreError(
                .unsupportedRequest, "The value of “\(expression)” doesn't fit the type \(Value.self).",
                remedy: "Use an attribute whose type has a larger range.")
        }
        return value
    }
}
