extension ManagedObject: PredicateArgument {
    /// The object's identifier as an expression.
    public final var predicateExpression: FetchExpression { .object(objectID) }
}
