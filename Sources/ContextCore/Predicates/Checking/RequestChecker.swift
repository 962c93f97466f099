import Foundation

/// Checks predicates, expressions and sort keys against a model, and resolves them to columns and types.
///
/// A checker is a value: entering a subquery or the next level of a tree makes a modified copy.
package struct RequestChecker {
    /// An object that a condition can refer to.
    struct Scope {
        let variable: String?
        let entity: EntityLayout
    }

    let model: ObjectModel
    /// The store that the request is for; nil if the result must be valid for any store.
    let storeID: UUID?
    /// The objects that paths can start at, outermost first.
    private(set) var scopes: [Scope]
    /// The values that the request groups by; nil if it doesn't group.
    var groupedBy: [ResolvedExpression]?
    /// The paths that the checker's own variables stand for, so that errors can quote what the caller wrote.
    private(set) var aliases: [String: PropertyPath] = [:]
    private var depth = 0

    /// Makes a checker of requests for an entity's objects, or, with `groupedBy`, for groups of them.
    ///
    /// - Parameter storeID: The store that the request is for. Identifiers of other stores' objects are rejected.
    package init(
        _ entity: EntityLayout, in model: ObjectModel, storeID: UUID? = nil,
        groupedBy: [ResolvedExpression]? = nil
    ) {
        self.model = model
        self.storeID = storeID
        self.scopes = [Scope(variable: nil, entity: entity)]
        self.groupedBy = groupedBy
    }

    /// Resolves a predicate and checks its size.
    ///
    /// - Throws: ``StoreError`` that quotes the invalid part and gives the reason.
    package func predicate(_ predicate: FetchPredicate) throws -> ResolvedPredicate {
        let resolved = try condition(predicate)
        try PredicateLimits.check(resolved)
        return resolved
    }

    /// Resolves an expression and checks its size.
    ///
    /// - Throws: ``StoreError`` that quotes the invalid part and gives the reason.
    package func expression(_ expression: FetchExpression) throws -> ResolvedExpression {
        let operand = try operand(expression)
        if operand.isOpaque { throw opaqueOperandError(operand) }
        try PredicateLimits.check(operand.expression)
        return operand.expression
    }

    /// Resolves a sort key.
    ///
    /// - Throws: ``StoreError`` that quotes the invalid part and gives the reason.
    package func sortKey(_ key: SortKey) throws -> ResolvedSortKey {
        let expression = try folded(try expression(key.expression), key.options, of: key.expression)
        return ResolvedSortKey(
            expression, isDescending: key.isDescending, nullsFirst: key.nullsFirst ?? !key.isDescending)
    }

    /// Returns the checker for conditions on an element of a collection.
    func entering(_ entity: EntityLayout, as variable: String, alias: PropertyPath? = nil) -> RequestChecker {
        var inner = self
        inner.scopes.append(Scope(variable: variable, entity: entity))
        inner.aliases[variable] = alias
        return inner
    }

    /// Returns the checker for the next level of a tree.
    ///
    /// - Throws: ``StoreError`` at ``PredicateLimits/unflattenedDepth`` levels.
    func nested() throws -> RequestChecker {
        var inner = self
        inner.depth += 1
        guard inner.depth <= PredicateLimits.maximumUnflattenedDepth else { throw PredicateLimits.depthError }
        return inner
    }
}

extension FetchPredicate {
    /// Checks the predicate against an entity and resolves it to columns and types.
    ///
    /// - Throws: ``StoreError`` that quotes the invalid part and gives the reason.
    package func resolved(for entity: EntityLayout, in model: ObjectModel) throws -> ResolvedPredicate {
        try RequestChecker(entity, in: model).predicate(self)
    }
}

extension SortKey {
    /// Checks the sort key against an entity and resolves it to columns and types.
    ///
    /// - Throws: ``StoreError`` that quotes the invalid part and gives the reason.
    package func resolved(for entity: EntityLayout, in model: ObjectModel) throws -> ResolvedSortKey {
        try RequestChecker(entity, in: model).sortKey(self)
    }
}
