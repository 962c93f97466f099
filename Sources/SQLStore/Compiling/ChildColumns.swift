package import ContextCore

/// The columns of a query for the rows of a one-to-many relationship: the rows' own, and behind them what else says whose they are.
package struct ChildColumns: Sendable {
    /// The names, in the order of the answer.
    package let names: [String]
    /// The place of the owner's key.
    private let owner: Int
    /// The place of the position, where there is an order.
    private let position: Int?
    /// The column of each entity's rows that refers to the owner; nil where the rows alone don't tell all.
    private let references: [Int: Int]?

    package init(_ children: CollectionMapping.Children, _ selection: SelectedColumns) {
        var names = selection.columns
        func place(of name: String) -> Int {
            if let place = names.firstIndex(of: name) { return place }
            names.append(name)
            return names.count - 1
        }
        let owner = place(of: children.reference)
        self.owner = owner
        position = children.position.map(place)
        self.names = names
        let references = selection.shapes.compactMap { shape in
            shape.fields.first { $0.place == owner }.map { (shape.entityIndex, $0.column) }
        }
        let areTold = children.position == nil && references.count == selection.shapes.count
        self.references = areTold ? Dictionary(uniqueKeysWithValues: references) : nil
    }

    /// Whether packed rows tell all of their links.
    package var areInRows: Bool { references != nil }

    /// The links of packed rows, where those tell them.
    package func links(of rows: RowBatch) -> [RelatedRows.Link]? {
        references.map { rows.links(through: $0) }
    }

    /// The link that a row of the answer tells of.
    ///
    /// - Parameter integer: What the answer has at a place.
    package func link(_ integer: (Int) -> Int64) -> RelatedRows.Link {
        RelatedRows.Link(
            owner: integer(owner), target: integer(0),
            position: position.map(integer) ?? 0)
    }
}
