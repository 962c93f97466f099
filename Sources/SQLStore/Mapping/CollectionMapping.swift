/// The storage of a to-many relationship.
package enum CollectionMapping: Hashable, Sendable {
    /// In a foreign key column of the destination's table.
    case children(Children)
    /// In a join table.
    case links(Links)

    /// The columns of a one-to-many relationship.
    package struct Children: Hashable, Sendable {
        /// The table of the destination.
        package let table: String
        /// The column that refers to the owner.
        package let reference: String
        /// The column with a row's position among its siblings, or nil if the relationship is unordered.
        package let position: String?
    }

    /// A join table as one of its two relationships sees it.
    package struct Links: Hashable, Sendable {
        /// The join table.
        package let table: String
        /// The column with the owner's key.
        package let owner: String
        /// The column with the member's key.
        package let target: String
        /// The column with the link's position, or nil if the relationship is unordered.
        package let position: String?
    }
}

/// The columns with the positions of an ordered relationship's members, in the join table or in the members' table.
package struct MemberPositions: Hashable, Sendable {
    package let table: String
    /// The column with the key of the owner.
    package let owner: String
    /// The column with the key of the member.
    package let target: String
    package let position: String
}

extension CollectionMapping {
    /// The position columns, or nil if the relationship is unordered.
    package var positions: MemberPositions? {
        switch self {
        case .links(let links):
            links.position.map {
                MemberPositions(table: links.table, owner: links.owner, target: links.target, position: $0)
            }
        case .children(let children):
            children.position.map {
                MemberPositions(
                    table: children.table, owner: children.reference, target: StoreNames.key, position: $0)
            }
        }
    }
}

/// The join table of a many-to-many relationship.
package struct JoinTable: Hashable, Sendable {
    /// The table's name.
    package let name: String
    /// The column with the key of the owner, and the table that it refers to.
    package let owner: String
    package let ownerTable: String
    /// The column with the key of the member, and the table that it refers to.
    package let target: String
    package let targetTable: String
    /// The columns with the links' positions, for each direction that is ordered.
    package let position: String?
    package let inversePosition: String?
}
