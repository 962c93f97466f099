/// Where a to-many relationship is kept.
package enum CollectionMapping: Hashable, Sendable {
    /// In a column of the table at the other end.
    case children(Children)
    /// In a table of its own.
    case links(Links)

    /// The column of a one-to-many relationship.
    package struct Children: Hashable, Sendable {
        /// The table at the other end.
        package let table: String
        /// The column that refers to the owner.
        package let reference: String
        /// The column that says where a row stands among its siblings; nil where there is no order.
        package let position: String?
    }

    /// One end of a table of links.
    package struct Links: Hashable, Sendable {
        /// The table of links.
        package let table: String
        /// The column with the key of the one that the relationship belongs to.
        package let owner: String
        /// The column with the key of the one at the other end.
        package let target: String
        /// The column that says where a link stands; nil where there is no order.
        package let position: String?
    }
}

/// The columns that say where the members of a list stand: in the table of its links, or in that of its members.
package struct MemberPositions: Hashable, Sendable {
    package let table: String
    /// The column with the key of the owner.
    package let owner: String
    /// The column with the key of the member.
    package let target: String
    package let position: String
}

extension CollectionMapping {
    /// Where members stand; nil where there is no order.
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

/// A table that keeps the links of a many-to-many relationship.
package struct LinkTable: Hashable, Sendable {
    /// The table's name.
    package let name: String
    /// The column with the key of the end that lists the links, and the table that it refers to.
    package let owner: String
    package let ownerTable: String
    /// The same for the other end.
    package let target: String
    package let targetTable: String
    /// The columns that keep the order, where an end has one.
    package let position: String?
    package let inversePosition: String?
}
