import ContextCore

/// An object of the entity `Passport`.
@Entity(unique: [[\.owner]]) final class Passport: ManagedObject {
    @Attribute(.unique) var number: String
    /// The `Author` whose `passport` is this object.
    var owner: Author
}
