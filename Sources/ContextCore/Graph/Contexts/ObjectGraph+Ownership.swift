extension ObjectGraph {
    /// Traps where an object is another context's, which the compiler can't see in one thread.
    ///
    /// Two graphs that took care of one object would both keep its address after its end.
    func requireOwn(_ object: ManagedObject, toBe done: StaticString) {
        requirePrecondition(
            object.graph === self,
            "\(object.entity.name) \(object.objectID) belongs to another context, so it can't be \(done) in this one. "
                + "Get the object of this context by object(with:) first.")
    }
}
