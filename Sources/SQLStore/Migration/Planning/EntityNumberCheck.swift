import ContextCore

/// Checks rows that another program wrote: whether each has the number of an entity of its tree.
struct EntityNumberCheck {
    /// The queries that count invalid rows, and the ends of the sentences that report them.
    let counts: [(count: SQLFragment, sentence: String)]

    init(_ mapping: StoreMapping) {
        counts = mapping.roots.filter(\.hasEntityColumn).map { root in
            let numbers = root.layout.familyIndices.map { mapping.entities[$0] }
                .filter { !$0.layout.isAbstract }.map(\.number)
            let list = Set(numbers).sorted().map { "\(number: $0)" as SQLFragment }.joined()
            return (
                "SELECT count(*) FROM \(name: root.table) WHERE \(name: StoreNames.entity) NOT IN (\(list))",
                "rows of \(root.table) have an entity number that is not in the model."
            )
        }
    }
}
