/// An object of a context's graph.
open class ManagedObject {
    /// The name of the entity of the class's objects: the class's own name, unless `@Entity` or an override gives another.
    ///
    /// Apart from ``entityDescription``, so that two classes can describe relationships to each other.
    open class var entityName: String { String(describing: self) }

    /// Describes the entity of the class's objects; `@Entity` writes it.
    open class var entityDescription: EntityDescription {
        preconditionFailure(
            "\(Self.self) describes no entity: give it @Entity, or override entityDescription.")
    }
}

extension ManagedObject: Hashable {
    /// Tells whether both are the same object, not whether their values are alike.
    public static func == (left: ManagedObject, right: ManagedObject) -> Bool {
        left === right
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
