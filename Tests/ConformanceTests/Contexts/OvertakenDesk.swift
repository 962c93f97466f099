import ChildProcesses

@testable import ContextCore
@testable import StoreConformance

/// The graph and the contexts of the random scripts, for small cases that the scripts have found.
///
/// The contexts and objects are those of ``GraphScript``: A merges automatically, B manually, and C is a child of A. Objects are identified
/// by numbers: owners are 0 and 1, items 2 to 4, tags 5 and 6, badges 7 and 8, the part is 9, the keeper 10. Owner 0 has the items 2 and 3,
/// the queue 2, 3, 4, the part, and badge 7; the items 2 and 3 are partners; tag 5 has item 2 and ranks 2 and 3; keeper 10 has badge 8.
struct OvertakenDesk {
    let script: GraphScript
    var a: GraphWorker { script.workers[0] }
    var b: GraphWorker { script.workers[1] }
    var c: GraphWorker { script.workers[2] }

    /// Runs a case on a new store of a kind.
    static func run(
        _ subject: Subject, _ body: @escaping @Sendable (OvertakenDesk) throws -> Void
    ) async throws {
        let fixture = subject.fixture
        try await onThread {
            let fresh = try FreshStore(fixture, GraphModel.model())
            defer { fresh.remove() }
            try body(OvertakenDesk(script: GraphScript(fresh.coordinator, GraphSettings([:]))))
        }
    }

    /// Reads the contexts and the store, and checks that both ends of each relationship agree and that derived attributes equal their
    /// definitions.
    func check() throws {
        try script.readStore()
        try script.checkStore()
        for worker in script.workers {
            try worker.read()
            try script.check(worker)
        }
    }

    /// Returns the numbers of a relationship's members in the store.
    func stored(_ number: Int, _ name: String) throws -> [Int] {
        try script.readStore()
        return script.stored.links(number, name)
    }
}

extension GraphWorker {
    /// Returns the numbers of a to-many relationship's members, sorted if it is not ordered.
    func members(_ number: Int, _ name: String) throws -> [Int] {
        let members = try self[number].objects(name).map { self.number(of: $0) }
        return GraphModel.relations.contains { $0.name == name && $0.isOrdered } ? members : members.sorted()
    }

    /// Returns the number of a to-one relationship's object.
    func target(_ number: Int, _ name: String) throws -> Int? {
        try self[number].object(name).map { self.number(of: $0) }
    }
}
