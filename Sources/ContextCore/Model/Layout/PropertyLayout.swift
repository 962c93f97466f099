/// One property of an entity as objects and stores see it: with its place among the others.
// A class, not a struct: every read, write and stage of a save looks at layouts, and copying ten fields each time was
// the largest single cost of a save.
public final class PropertyLayout: Sendable {
    /// Which kind of property it is.
    public enum Kind: Sendable {
        /// A value.
        case attribute(AttributeDescription)
        /// A way to one other object, or to many.
        case relationship(RelationshipLayout)
    }

    /// The property's name.
    public let name: String
    /// Where it stands among its entity's properties: the number that typed accessors use.
    public let slot: Int
    /// Attribute or relationship.
    public let kind: Kind
    /// The columns that keep it in a row: none for transient attributes and to-many relationships, several for composites.
    public let columns: Range<Int>
    /// The relationship's layout, or nil for an attribute.
    public let relationship: RelationshipLayout?

    /// Whether it is an attribute made of several values.
    let isComposite: Bool
    /// Checks the attribute's values; nil for a relationship.
    public let validation: ValueValidation?
    /// Stands between the attribute's property and what is stored, if it names one and the model was given it.
    public let transformer: (any AttributeTransformer)?

    init(
        name: String, slot: Int, kind: Kind, columns: Range<Int>,
        transformer: (any AttributeTransformer)? = nil
    ) {
        self.name = name
        self.slot = slot
        self.kind = kind
        self.columns = columns
        self.transformer = transformer
        switch kind {
        case .attribute(let attribute):
            validation = ValueValidation(attribute)
            relationship = nil
            if case .composite = attribute.type { isComposite = true } else { isComposite = false }
        case .relationship(let layout):
            validation = nil
            relationship = layout
            isComposite = false
        }
    }

    /// The attribute's description, or nil for a relationship.
    public var attribute: AttributeDescription? {
        if case .attribute(let attribute) = kind { attribute } else { nil }
    }
}

/// A relationship with everything that follows from the whole model.
public final class RelationshipLayout: Sendable {
    /// What was declared, with the inverse's name filled in on both sides.
    public let description: RelationshipDescription
    /// The position in the model of the entity that declares it.
    public let sourceIndex: Int
    /// The position in the model of the entity that it leads to.
    public let destinationIndex: Int
    /// The slot, in the destination, of the relationship that leads back.
    public let inverseSlot: Int?
    /// Whether the relationship that leads back is to-many.
    public let inverseIsToMany: Bool
    /// Whether the destination has subentities, so that a key alone doesn't tell an object's class.
    public let isPolymorphic: Bool

    init(
        description: RelationshipDescription, sourceIndex: Int, destinationIndex: Int, inverseSlot: Int?,
        inverseIsToMany: Bool, isPolymorphic: Bool
    ) {
        self.description = description
        self.sourceIndex = sourceIndex
        self.destinationIndex = destinationIndex
        self.inverseSlot = inverseSlot
        self.inverseIsToMany = inverseIsToMany
        self.isPolymorphic = isPolymorphic
    }

    /// Whether both ends are to-many.
    public var isManyToMany: Bool { description.isToMany && inverseIsToMany }

    /// Whether both ends are to-one, so that the rows of both refer to each other.
    package var isOneToOne: Bool { inverseSlot != nil && !description.isToMany && !inverseIsToMany }

    /// Whether a many-to-many relationship's links are listed from this end: the ordered one, or else the first in the model.
    package func isListingEnd(in model: ObjectModel, slot: Int) -> Bool {
        isListingEnd(in: model.layouts, slot: slot)
    }

    func isListingEnd(in layouts: [EntityLayout], slot: Int) -> Bool {
        guard let inverseSlot else { return true }
        let inverse = layouts[destinationIndex].properties[inverseSlot].relationship
        if description.isOrdered != inverse?.description.isOrdered { return description.isOrdered }
        return (sourceIndex, slot) <= (inverse?.sourceIndex ?? destinationIndex, inverseSlot)
    }
}

extension PropertyLayout {
    /// Whether saves work out the property's value.
    var isDerived: Bool { if case .derived? = attribute?.storage { true } else { false } }
}

/// One column of an entity's rows.
public struct ColumnLayout: Sendable {
    /// What a column keeps.
    public enum Kind: Sendable, Hashable {
        /// A value of an attribute.
        case attribute(AttributeType)
        /// The key of the object at the other end of a to-one relationship.
        case reference(destinationIndex: Int)
    }

    /// The property's name; for a composite's part `address.city`.
    public let name: String
    /// What it keeps.
    public let kind: Kind
    /// Whether it may hold no value.
    public let isOptional: Bool
    /// The slot of the property that it belongs to.
    public let slot: Int
    /// Whether its values may lie outside of their row: see ``AttributeOption/externalStorage(over:)``.
    package let isExternal: Bool

    /// Whether it leads to another object.
    package var isReference: Bool { if case .reference = kind { true } else { false } }
}
