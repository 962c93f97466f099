extension ManagedObject: PredicateArgument {
    /// The object by its identifier.
    public final var predicateExpression: FetchExpression { .object(objectID) }
}
