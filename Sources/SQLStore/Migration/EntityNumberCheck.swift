import ContextCore

/// Looks at rows that another hand has made: whether each says which entity of its tree it is of.
struct EntityNumberCheck {
    /// The queries, each of which counts rows, and what they are.
    let counts: [(count: SQLFragment, sentence: String)]

    init(_ mapping: StoreMapping) {
        counts = mapping.roots.filter(\.hasEntityColumn).map { root in
            let numbers = root.layout.familyIndices.map { mapping.entities[$0] }
                .filter { !$0.layout.isAbstract }.map(\.number)
            let list = Set(numbers).sorted().map { "\(number: $0)" as SQLFragment }.joined()
            return (
                "SELECT count(*) FROM \(name: root.table) WHERE \(name: StoreNames.entity) NOT IN (\(list))",
                "rows of \(root.table) are of no entity that the model knows."
            )
        }
    }
}
