/// What a controller holds: its rows, their objects, and what their places depend on.
struct ResultsContents {
    private(set) var list: ResultsList
    /// How many rows the request means, in and out of the window.
    private(set) var totalCount = 0
    /// The objects of the rows, by key.
    private var objects: [Int64: ManagedObject] = [:]
    private(set) var dependencies = RowDependencies()

    /// Nothing.
    init(isSectioned: Bool) { list = ResultsList(isSectioned: isSectioned) }

    init(_ list: ResultsList, totalCount: Int, _ placings: [Int64: ObjectPlacing]) {
        self.list = list
        self.totalCount = totalCount
        objects = placings.mapValues(\.object)
        for (key, placing) in placings { dependencies.set(placing.references, of: key) }
    }

    /// The object of a row.
    func object(_ key: Int64) -> ManagedObject? { objects[key] }

    /// Takes over what has been found out.
    mutating func take(_ finding: ResultsFinding) {
        switch finding {
        case .run(let contents): self = contents
        case .looked(let list, let placings, let gone):
            self.list = list
            for (key, placing) in placings {
                objects[key] = placing.object
                dependencies.set(placing.references, of: key)
            }
            for key in gone {
                objects[key] = nil
                dependencies.set([], of: key)
            }
        }
    }
}

/// An object that has a row, and what the row's place depends on beside it.
struct ObjectPlacing {
    let object: ManagedObject
    let references: Set<RowReference>
}

/// What results have become, before anybody is told.
enum ResultsFinding {
    /// All that there is, as the request was run.
    case run(ResultsContents)
    /// The list, as some objects were looked at, by key: those that have rows, and those that have none.
    case looked(ResultsList, [Int64: ObjectPlacing], gone: Set<Int64>)

    var list: ResultsList {
        switch self {
        case .run(let contents): contents.list
        case .looked(let list, _, _): list
        }
    }

    /// The object of a row, if it was looked at.
    func object(_ key: Int64) -> ManagedObject? {
        switch self {
        case .run(let contents): contents.object(key)
        case .looked(_, let placings, _): placings[key]?.object
        }
    }
}
