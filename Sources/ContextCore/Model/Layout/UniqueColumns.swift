/// A unique constraint as rows see it.
public struct UniqueColumns: Sendable, Hashable {
    /// The position in the model of the entity that declares it.
    ///
    /// No two objects of that entity and its subentities may collide.
    public let entityIndex: Int
    /// The names of its properties, as declared.
    public let names: [String]
    /// Their columns.
    public let columns: [Int]
}
