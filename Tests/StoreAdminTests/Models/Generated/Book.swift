import ContextCore

/// An object of the entity `Book`.
@Entity(indexes: [.index(.ascending(\.publishedAt))], unique: [[\.author, \.title]])
final class Book: Medium {
    /// A copy of `author.name`.
    @Derived(.copy(\.author.name)) var authorName: String
    @Attribute(.unique, .pattern("[0-9]{13}")) var isbn: String
    @Attribute(.range(1...)) var pages: Int32 = 100
    /// The `Author` whose `books` include this object.
    var author: Author
    /// A reference to a `Data`, without an inverse.
    @Relationship(deleteRule: .noAction) var `repeat`: DataObject?
    /// The `Tag` objects whose `media` include this object.
    @Relationship(
        inverse: \Tag.media,
        renamedFrom: "labels",
        hashModifier: "tags of the second edition of the model, which were written by hand")
    var tags: Set<Tag>
}
