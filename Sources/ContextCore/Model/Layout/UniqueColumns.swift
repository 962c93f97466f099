/// A unique constraint in terms of columns.
public struct UniqueColumns: Sendable, Hashable {
    /// The index in the model of the entity that declares it.
    ///
    /// The values must be unique among the objects of that entity and its subentities.
    public let entityIndex: Int
    /// The names of the properties, as declared.
    public let names: [String]
    /// The indices of the columns in a row.
    public let columns: [Int]
}
