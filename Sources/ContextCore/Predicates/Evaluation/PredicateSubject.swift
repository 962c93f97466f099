/// An object that predicates are evaluated for: a stored row, or an object with its pending changes.
package protocol PredicateSubject {
    /// The key of the object.
    var key: Int64 { get }
    /// The index in the model of the object's entity.
    var entityIndex: Int { get }
    /// Returns the value of a column; that of a to-one relationship is its foreign key.
    func value(column: Int) throws -> StoredValue
    /// Returns the object that a to-one relationship references.
    func target(_ hop: RelationshipStep) throws -> Self?
    /// Returns the objects that a to-many relationship references.
    func members(_ hop: RelationshipStep) throws -> [Self]
}
