/// One property of an entity, with its slot and its columns.
// A class, not a struct: every read, write and stage of a save uses layouts, and copying ten fields each time was
// the largest single cost of a save.
public final class PropertyLayout: Sendable {
    /// The kind of a property.
    public enum Kind: Sendable {
        /// A stored, transient or derived value.
        case attribute(AttributeDescription)
        /// A reference to one object, or to many.
        case relationship(RelationshipLayout)
    }

    /// The property's name.
    public let name: String
    /// The index of the property in its entity, which typed accessors use.
    public let slot: Int
    /// The kind of property, with its description.
    public let kind: Kind
    /// The columns of the property in a row: none for transient attributes and to-many relationships, several for composites.
    public let columns: Range<Int>
    /// The relationship's layout, or nil for an attribute.
    public let relationship: RelationshipLayout?

    /// Whether it is a composite attribute.
    package let isComposite: Bool
    /// Whether it is a composite that has a value although all its columns are null: it is required, and its parts aren't.
    private let hasValueWithoutParts: Bool
    /// The validation of the attribute's values; nil for a relationship.
    public let validation: ValueValidation?
    /// The transformer between the property's value and the stored value, if the attribute names one and the model has it.
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
            if case .composite(let parts) = attribute.type {
                isComposite = true
                hasValueWithoutParts = !attribute.isOptional && parts.allSatisfy(\.isOptional)
            } else {
                isComposite = false
                hasValueWithoutParts = false
            }
        case .relationship(let layout):
            validation = nil
            relationship = layout
            isComposite = false
            hasValueWithoutParts = false
        }
    }

    /// The attribute's description, or nil for a relationship.
    public var attribute: AttributeDescription? {
        if case .attribute(let attribute) = kind { attribute } else { nil }
    }

    /// Returns the property's value, given the values of its columns.
    package func value(ofColumns values: [StoredValue]) -> StoredValue {
        if !isComposite { return values.first ?? .null }
        return values.allSatisfy(\.isNull) && !hasValueWithoutParts ? .null : .composite(values)
    }
}

/// A relationship with everything that follows from the whole model.
public final class RelationshipLayout: Sendable {
    /// The description, with the name of its inverse.
    public let description: RelationshipDescription
    /// The index in the model of the entity that declares it.
    public let sourceIndex: Int
    /// The index in the model of the destination entity.
    public let destinationIndex: Int
    /// The slot of the inverse in the destination.
    public let inverseSlot: Int?
    /// Whether the inverse is to-many.
    public let inverseIsToMany: Bool
    /// Whether the destination has subentities, so that a key alone doesn't determine an object's class.
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

    /// Whether both the relationship and its inverse are to-many.
    public var isManyToMany: Bool { description.isToMany && inverseIsToMany }

    /// Whether both the relationship and its inverse are to-one, so that the rows of both refer to each other.
    package var isOneToOne: Bool { inverseSlot != nil && !description.isToMany && !inverseIsToMany }

    /// Whether a many-to-many relationship's links are stored under this relationship: the ordered one, or else the first in the model.
    package func isLinkOwner(in model: ObjectModel, slot: Int) -> Bool {
        isLinkOwner(in: model.layouts, slot: slot)
    }

    func isLinkOwner(in layouts: [EntityLayout], slot: Int) -> Bool {
        guard let inverseSlot else { return true }
        let inverse = layouts[destinationIndex].properties[inverseSlot].relationship
        if description.isOrdered != inverse?.description.isOrdered { return description.isOrdered }
        return (sourceIndex, slot) <= (inverse?.sourceIndex ?? destinationIndex, inverseSlot)
    }
}

extension PropertyLayout {
    /// Whether the property is a derived attribute.
    var isDerived: Bool { if case .derived? = attribute?.storage { true } else { false } }
}

/// One column of an entity's rows.
public struct ColumnLayout: Sendable {
    /// The content of a column.
    public enum Kind: Sendable, Hashable {
        /// A value of an attribute.
        case attribute(AttributeType)
        /// The key of the destination of a to-one relationship.
        case reference(destinationIndex: Int)
    }

    /// The name of the property; `address.city` for a part of a composite.
    public let name: String
    /// The content of the column.
    public let kind: Kind
    /// Whether the column may be null.
    public let isOptional: Bool
    /// The slot of the property.
    public let slot: Int
    /// Whether values may be stored outside of their row: see ``AttributeOption/externalStorage(over:)``.
    package let isExternal: Bool

    /// Whether the column is a reference to another object.
    package var isReference: Bool { if case .reference = kind { true } else { false } }
}
