import ContextCore

/// An object of an entity that inherits from the abstract entity `Medium`.
@Entity(isAbstract: true) class Medium: ManagedObject {
    /// The lower-case form of `title`.
    @Derived(.lowercased(\.title)) var lowerTitle: String
    var publishedAt: Date?
    @Attribute(.indexed) var title: String
}
