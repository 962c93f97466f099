/// An object of a context's graph.
open class ManagedObject {
    /// Describes the entity of the class's objects; `@Entity` writes it.
    open class var entityDescription: EntityDescription {
        preconditionFailure(
            "\(Self.self) describes no entity: give it @Entity, or override entityDescription.")
    }
}
