/// A session of a store that keeps rows beside those of its objects, and finds those that belong to no object.
package protocol StrayRowSession: ReadSession {
    /// Finds links that no object leads to: neither end is there.
    ///
    /// A link with one end is a link of the object at that end, and isn't among them.
    func strayLinks(limit: Int) throws -> [StrayLink]
    /// Finds values kept outside of their rows that disagree with the rows.
    func externalFaults(limit: Int) throws -> [ExternalFault]
}

/// A session that also resolves such disagreements, as far as no property gets another value.
package protocol StrayRowWriteSession: StrayRowSession, WriteSession {
    /// Removes values and stamps that belong to nothing, and gives rows the stamps of their values.
    ///
    /// A value that is missing, or that its row doesn't name, is left alone: what is done about it is a change of the object.
    func resolve(_ faults: [ExternalFault]) throws
}

/// A link of a many-to-many relationship of which neither end is there.
package struct StrayLink: Sendable, Hashable {
    /// The position in the model of the entity that declares the relationship.
    package let entityIndex: Int
    /// The relationship's slot.
    package let slot: Int
    package let link: RelatedRows.Link

    package init(entityIndex: Int, slot: Int, link: RelatedRows.Link) {
        self.entityIndex = entityIndex
        self.slot = slot
        self.link = link
    }
}

/// A disagreement between a row and a value that is kept outside of it.
package struct ExternalFault: Sendable, Hashable {
    /// What is wrong.
    package enum Kind: Int, Sendable, CaseIterable {
        /// There is a value, and no row of an entity with the attribute that it belongs to.
        case ownerless
        /// The row says that its value is outside, and there is none.
        case missing
        /// The value is of another version of the row than the row says.
        case stamp
        /// There is a value, and the row has none and doesn't say that one is outside.
        case unnamed
        /// The row has the value itself, and says that it is outside, or there is another one outside.
        case leftover
    }

    package let kind: Kind
    /// The position in the model of the row's entity; where there is no row, of the entity that declares the attribute.
    package let entityIndex: Int
    /// The row's key.
    package let key: Int64
    /// The attribute's slot.
    package let slot: Int

    package init(_ kind: Kind, entityIndex: Int, key: Int64, slot: Int) {
        self.kind = kind
        self.entityIndex = entityIndex
        self.key = key
        self.slot = slot
    }
}
