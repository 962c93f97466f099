package import ContextCore

/// The tables and columns that store the objects of a model.
package struct StoreMapping: Sendable {
    /// The model.
    package let model: ObjectModel
    /// The entities, in the order of the model.
    package let entities: [EntityMapping]
    /// The join tables.
    package let joinTables: [JoinTable]
}

extension StoreMapping {
    /// Maps a model to tables and columns.
    ///
    /// - Parameter numbers: The store's numbers of the entities; a new store counts them from 1.
    package init(_ model: ObjectModel, numbers: [String: Int] = [:], maximumNameLength: Int?) {
        var builder = MappingBuilder(model, maximumNameLength: maximumNameLength)
        self = builder.mapping(numbers: numbers)
    }

    /// The entities that have a table of their own: those at the top of inheritance trees.
    package var roots: [EntityMapping] { entities.filter { $0.layout.rootIndex == $0.layout.index } }

    /// Returns the columns of a table that store the positions of rows among their siblings.
    package func positionColumns(of table: String) -> [String] {
        var columns: Set<String> = []
        for case .children(let children) in entities.flatMap(\.collections.values)
        where children.table == table {
            if let position = children.position { columns.insert(position) }
        }
        return columns.sorted { $0.precedesByBytes($1) }
    }

    /// Returns the numbers of the entities that a constraint covers, or nil if it covers all rows of a table.
    package func numbers(sharing constraint: UniqueColumns) -> [Int]? {
        let declaring = model.layouts[constraint.entityIndex]
        return declaring.rootIndex == declaring.index
            ? nil : declaring.familyIndices.map { entities[$0].number }
    }

    /// Returns the entity with a number.
    package func entity(number: Int) -> EntityMapping? {
        entities.first { $0.number == number }
    }
}
