/// A session that finds links and external values that belong to no object.
package protocol OrphanRowSession: ReadSession {
    /// Returns links of which neither object exists.
    ///
    /// A link with one existing object belongs to that object and isn't returned.
    func orphanLinks(limit: Int) throws -> [OrphanLink]
    /// Returns mismatches between rows and their external values, which are stored in separate tables.
    func externalValueMismatches(limit: Int) throws -> [ExternalValueMismatch]
}

/// A session that also repairs mismatches between rows and external values, without changing the value of a property.
package protocol OrphanRowWriteSession: OrphanRowSession, WriteSession {
    /// Removes orphan values and version stamps, and replaces the stamps of rows by those of their external values.
    ///
    /// It doesn't repair missing values and values that the row doesn't refer to, because that would change the object.
    func repair(_ mismatches: [ExternalValueMismatch]) throws
}

/// A link of a many-to-many relationship of which neither object exists.
package struct OrphanLink: Sendable, Hashable {
    /// The index in the model of the entity that declares the relationship.
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

/// A mismatch between a row and an external value, which is stored in a separate table.
package struct ExternalValueMismatch: Sendable, Hashable {
    /// The kind of a mismatch.
    package enum Kind: Int, Sendable, CaseIterable {
        /// A value exists, but its row doesn't, or its entity doesn't have the attribute.
        case ownerless
        /// The row refers to an external value that doesn't exist.
        case missing
        /// The version stamps of the row and the value differ.
        case stamp
        /// A value exists, but the row is null and doesn't refer to an external value.
        case unnamed
        /// The row contains the value, and also refers to an external value or has one.
        case leftover
    }

    package let kind: Kind
    /// The index in the model of the row's entity; without a row, of the entity that declares the attribute.
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
