import ContextCore

/// Compiles predicates to SQL conditions that are true, false and unknown for the same rows.
///
/// ```sql
/// score > 10 AND ANY players.name = "Ann"
/// t0."score" > ?1 AND EXISTS (SELECT 1 FROM "player" AS t1 WHERE t1."game_id" = t0."_id" AND t1."name" = ?2)
/// ```
struct PredicateCompiler {
    let mapping: StoreMapping
    let aliases: AliasCounter
    /// The objects that expressions can refer to, outermost first.
    var scopes: [RowNode]
    /// Whether lists of any length are rendered value by value, because the statement can't have parameters.
    var listsEverything = false

    init(_ mapping: StoreMapping, aliases: AliasCounter, scopes: [RowNode]) {
        self.mapping = mapping
        self.aliases = aliases
        self.scopes = scopes
    }

    /// Returns the condition of a predicate.
    ///
    /// - Parameter isFilter: Whether false and unknown are equivalent, as in a WHERE clause, which allows a shorter form that
    ///   indexes support.
    func condition(_ predicate: ResolvedPredicate, isFilter: Bool) throws(StoreError) -> SQLExpression {
        switch predicate {
        case .constant(let truth): return Self.constant(truth)
        case .compare(let left, let comparison, let right):
            return try ComparisonCompiler(self).condition(left, comparison, right, isFilter: isFilter)
        case .text(let text, let test, let other):
            return try ComparisonCompiler(self).condition(text, test, other)
        case .like(let text, let pattern):
            return .call(SQLFunction(.like(pattern), .text), [try value(text).sql])
        case .matches(let text, let expression):
            return .call(SQLFunction(.matches(expression), .text), [try value(text).sql])
        case .isNull(let value): return try isNull(value)
        case .isMember(let value, let members):
            return try ComparisonCompiler(self).condition(value, isAmong: members, isFilter: isFilter)
        case .isEntity(let property, let indices): return isEntity(property, indices, isFilter: isFilter)
        case .exists(let collection, let condition):
            return .exists(
                try related(collection, where: condition) { _, _ throws(StoreError) in .number(1) })
        case .truth(let condition, let truth):
            if truth == .true, isFilter { return try self.condition(condition, isFilter: true) }
            return .truthTest(try self.condition(condition, isFilter: false), truth)
        case .not(let condition): return .not(try self.condition(condition, isFilter: false))
        case .and(let members):
            return .and(try conditions(members, isFilter: isFilter))
        case .or(let members):
            return .or(try conditions(members, isFilter: isFilter))
        }
    }

    private func conditions(
        _ predicates: [ResolvedPredicate], isFilter: Bool
    ) throws(StoreError) -> [SQLExpression] {
        var conditions: [SQLExpression] = []
        for predicate in predicates { conditions.append(try condition(predicate, isFilter: isFilter)) }
        return conditions
    }

    private static func constant(_ truth: PredicateTruth) -> SQLExpression {
        switch truth {
        case .true: .truth(true)
        case .false: .truth(false)
        case .unknown: .null
        }
    }

    private func isEntity(_ property: ResolvedProperty, _ indices: [Int], isFilter: Bool) -> SQLExpression {
        let object = node(property)
        let family = mapping.entities[object.entity.layout.rootIndex].layout.familyIndices
        let numbers = indices.filter(family.contains).map {
            SQLExpression.number(mapping.entities[$0].number)
        }
        guard object.entity.hasEntityColumn else {
            if numbers.isEmpty { return .truth(false) }
            return object.isOptional ? .isNotNull(object.column(StoreNames.key)) : .truth(true)
        }
        if numbers.isEmpty { return .truth(false) }
        let among = SQLExpression.isAmong(object.column(StoreNames.entity), numbers)
        return object.isOptional && !isFilter ? .truthTest(among, .true) : among
    }
}

// MARK: - Objects and collections

extension PredicateCompiler {
    /// Returns the object that a property belongs to.
    func node(_ property: ResolvedProperty) -> RowNode {
        property.hops.reduce(scopes[property.scope]) { $0.hop($1) }
    }

    /// Returns the value of a property.
    func property(_ property: ResolvedProperty) -> TypedSQL {
        switch property.target {
        case .key:
            return TypedSQL(node(property).presentKey, .key)
        case .column(let column):
            let mapped = mapping.entities[property.entityIndex].columns[column]
            let object = node(property)
            let value = object.column(mapped.name)
            return TypedSQL(
                mapped.external?.includingExternalValue(value, alias: object.row()) ?? value, mapped.type)
        }
    }

    /// Returns the condition that a value is null, without reading a value that is stored outside of its row.
    private func isNull(_ value: ResolvedExpression) throws(StoreError) -> SQLExpression {
        guard case .property(let property) = value.node, case .column(let column) = property.target else {
            return .isNull(try self.value(value).sql)
        }
        let mapped = mapping.entities[property.entityIndex].columns[column]
        guard let external = mapped.external else { return .isNull(try self.value(value).sql) }
        let object = node(property)
        return .and([.isNull(object.column(mapped.name)), .isNull(object.column(external.stamp))])
    }

    /// Returns a query over the objects that a chain of relationships refers to.
    ///
    /// - Parameter column: Returns the query's result column for the inner scope; its second argument is the order of the
    ///   objects.
    func related(
        _ collection: ResolvedCollection, where condition: ResolvedPredicate?,
        _ column: (PredicateCompiler, [SQLExpression]) throws(StoreError) -> SQLExpression
    ) throws(StoreError) -> SelectStatement {
        let query = QueryBuilder(aliases)
        var node = scopes[collection.scope]
        var order: [SQLExpression] = []
        for step in collection.steps { node = self.step(step, from: node, query, &order) }
        var inner = self
        inner.scopes.append(node)
        let selected = try column(inner, order)
        if let condition { query.addCondition(try inner.condition(condition, isFilter: true)) }
        return query.select([selected])
    }

    private func step(
        _ hop: RelationshipStep, from node: RowNode, _ query: QueryBuilder, _ order: inout [SQLExpression]
    ) -> RowNode {
        let destination = mapping.entities[hop.destinationIndex]
        switch mapping.entities[hop.sourceIndex].collections[hop.slot] {
        case nil: return node.hop(hop)
        case .children(let children):
            let owner = node.presentKey
            let alias = query.add(children.table) {
                .comparison(.column(of: $0, children.reference), .equal, owner)
            }
            if let position = children.position { order.append(.column(of: alias, position)) }
            order.append(.column(of: alias, StoreNames.key))
            return RowNode(destination, alias: alias, query, mapping)
        case .links(let links):
            let owner = node.presentKey
            let alias = query.add(links.table) {
                .comparison(.column(of: $0, links.owner), .equal, owner)
            }
            if let position = links.position { order.append(.column(of: alias, position)) }
            order.append(.column(of: alias, links.target))
            return RowNode(
                destination, key: .column(of: alias, links.target), alias: nil, isOptional: false, query,
                mapping)
        }
    }
}

/// An SQL expression and its type.
struct TypedSQL {
    let sql: SQLExpression
    let type: SQLType

    init(_ sql: SQLExpression, _ type: SQLType) {
        self.sql = sql
        self.type = type
    }
}
