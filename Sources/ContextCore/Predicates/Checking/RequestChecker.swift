import Foundation

/// Checks what a request says against a model, and puts it in the terms of columns and types.
///
/// A checker is a value: going into a subquery, or deeper into a tree, makes another.
package struct RequestChecker {
    /// An object that a condition can speak of.
    struct Scope {
        let variable: String?
        let entity: EntityLayout
    }

    let model: ObjectModel
    /// The store that is asked; nil where what is said holds for any.
    let storeID: UUID?
    /// The objects that paths can begin at, outermost first.
    private(set) var scopes: [Scope]
    /// What the rows of a group have in common, where groups are what is asked about.
    var groupedBy: [ResolvedExpression]?
    /// What the checker's own variables stand for, so that errors can say what was written.
    private(set) var aliases: [String: PropertyPath] = [:]
    private var depth = 0

    /// Checks what is said about an entity's objects, or, with `groupedBy`, about groups of them.
    ///
    /// - Parameter storeID: The store that is asked, so that no identifier of another store's object is taken for one of its own.
    package init(
        _ entity: EntityLayout, in model: ObjectModel, storeID: UUID? = nil,
        groupedBy: [ResolvedExpression]? = nil
    ) {
        self.model = model
        self.storeID = storeID
        self.scopes = [Scope(variable: nil, entity: entity)]
        self.groupedBy = groupedBy
    }

    /// Checks a condition.
    ///
    /// - Throws: ``StoreError`` that names the part that can't be answered and says why.
    package func predicate(_ predicate: FetchPredicate) throws -> ResolvedPredicate {
        let resolved = try condition(predicate)
        try PredicateLimits.check(resolved)
        return resolved
    }

    /// Checks a value.
    ///
    /// - Throws: ``StoreError`` that names the part that can't be answered and says why.
    package func expression(_ expression: FetchExpression) throws -> ResolvedExpression {
        let operand = try operand(expression)
        if operand.isOpaque { throw opaque(operand) }
        try PredicateLimits.check(operand.expression)
        return operand.expression
    }

    /// Checks a key of an order.
    ///
    /// - Throws: ``StoreError`` that names the part that can't be answered and says why.
    package func sortKey(_ key: SortKey) throws -> ResolvedSortKey {
        let expression = try folded(try expression(key.expression), key.options, of: key.expression)
        return ResolvedSortKey(
            expression, isDescending: key.isDescending, nullsFirst: key.nullsFirst ?? !key.isDescending)
    }

    /// The checker for what is said about an element of a collection.
    func entering(_ entity: EntityLayout, as variable: String, alias: PropertyPath? = nil) -> RequestChecker {
        var inner = self
        inner.scopes.append(Scope(variable: variable, entity: entity))
        inner.aliases[variable] = alias
        return inner
    }

    /// The checker for the next level of a tree.
    func deeper() throws -> RequestChecker {
        var inner = self
        inner.depth += 1
        guard inner.depth <= PredicateLimits.writtenDepth else { throw PredicateLimits.tooDeep }
        return inner
    }
}

extension FetchPredicate {
    /// Checks the predicate against an entity, and puts it in the terms of columns and types.
    ///
    /// - Throws: ``StoreError`` that names the part that can't be answered and says why.
    package func resolved(for entity: EntityLayout, in model: ObjectModel) throws -> ResolvedPredicate {
        try RequestChecker(entity, in: model).predicate(self)
    }
}

extension SortKey {
    /// Checks the key against an entity, and puts it in the terms of columns and types.
    ///
    /// - Throws: ``StoreError`` that names the part that can't be answered and says why.
    package func resolved(for entity: EntityLayout, in model: ObjectModel) throws -> ResolvedSortKey {
        try RequestChecker(entity, in: model).sortKey(self)
    }
}
