import ContextCore

/// An object of the entity `Tag`.
@Entity final class Tag: ManagedObject {
    /// The `Book` objects whose `tags` include this object.
    @Relationship(deleteRule: .deny, inverse: \.tags) var media: Set<Book>
}
