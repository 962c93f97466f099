/// Something that predicates are evaluated over: a stored row, or an object with its pending changes.
package protocol PredicateSubject {
    /// The key of the object.
    var key: Int64 { get }
    /// The position in the model of the object's entity.
    var entityIndex: Int { get }
    /// The value of a column; a reference is the key that it keeps.
    func value(column: Int) throws -> StoredValue
    /// What a to-one relationship leads to.
    func target(_ hop: ResolvedHop) throws -> Self?
    /// What a to-many relationship leads to.
    func members(_ hop: ResolvedHop) throws -> [Self]
}
