/// The contents of a results controller: its rows, their objects, and the objects that their positions depend on.
struct ResultsContents {
    private(set) var list: ResultsList
    /// The number of rows of the request, inside and outside the window.
    private(set) var totalCount = 0
    /// The objects of the rows, by key.
    private var objects: [Int64: ManagedObject] = [:]
    private(set) var dependencies = RowDependencies()

    /// Creates empty contents.
    init(isSectioned: Bool) { list = ResultsList(isSectioned: isSectioned) }

    init(_ list: ResultsList, totalCount: Int, _ listedObjects: [Int64: ListedObject]) {
        self.list = list
        self.totalCount = totalCount
        objects = listedObjects.mapValues(\.object)
        for (key, listedObject) in listedObjects { dependencies.set(listedObject.references, of: key) }
    }

    /// Returns the object of a row.
    func object(_ key: Int64) -> ManagedObject? { objects[key] }

    /// Applies the result of an update.
    mutating func apply(_ finding: ResultsUpdate) {
        switch finding {
        case .run(let contents): self = contents
        case .evaluated(let list, let listedObjects, let removed):
            self.list = list
            for (key, listedObject) in listedObjects {
                objects[key] = listedObject.object
                dependencies.set(listedObject.references, of: key)
            }
            for key in removed {
                objects[key] = nil
                dependencies.set([], of: key)
            }
        }
    }
}

/// An object that has a row, and the other objects that the row's position depends on.
struct ListedObject {
    let object: ManagedObject
    let references: Set<RowReference>
}

/// The result of an update, before it is applied and reported.
enum ResultsUpdate {
    /// The new contents, after the request ran.
    case run(ResultsContents)
    /// The new list, the evaluated objects that have rows, and the keys of those that don't, after single objects were evaluated.
    case evaluated(ResultsList, [Int64: ListedObject], removed: Set<Int64>)

    var list: ResultsList {
        switch self {
        case .run(let contents): contents.list
        case .evaluated(let list, _, _): list
        }
    }

    /// Returns the object of a row, if the update evaluated it.
    func object(_ key: Int64) -> ManagedObject? {
        switch self {
        case .run(let contents): contents.object(key)
        case .evaluated(_, let listedObjects, _): listedObjects[key]?.object
        }
    }
}
