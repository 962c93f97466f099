extension ObjectGraph {
    /// Traps if an object belongs to another context, which the compiler can't detect within one thread.
    ///
    /// Otherwise two graphs would track the object, and one of them would still have its address after it is freed.
    func requireOwnership(_ object: ManagedObject, toBe done: StaticString) {
        requirePrecondition(
            object.graph === self,
            "\(object.objectID) belongs to another context, so it can't be \(done) in this context. "
                + "Get this context's object with object(with:) first.")
    }
}
