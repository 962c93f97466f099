import ContextCore
import RandomSeeds
import Testing

@testable import ContextCore

/// The lifetime of rows and of the graph: objects own them, and nothing else does.
@Suite(.timeLimit(.minutes(20))) struct ObjectHoldTests {
    private let library: Library

    init() throws {
        library = try Library()
        try library.fill(authors: 20)
    }

    /// Weak references to what a test observes.
    private struct Watch {
        weak var graph: ObjectGraph?
        weak var group: RowGroup?
    }

    @Test func `Objects outlive their context with their values`() throws {
        var watch = Watch()
        func authors() throws -> [Author] {
            let context = try library.context().context
            let authors = try context.fetch(Author.self, order: .ascending(\.name))
            (watch.graph, watch.group) = (context.graph, authors[0].group)
            return authors
        }
        var authors = try authors()
        let names = authors.map(\.name)
        #expect(watch.graph != nil && watch.group != nil)
        while authors.count > 1 {
            authors.removeLast()
            #expect(authors.map(\.name) == Array(names.prefix(authors.count)))
        }
        #expect(watch.graph != nil && watch.group != nil)
        authors = []
        #expect(watch.graph == nil && watch.group == nil)
    }

    @Test func `A batch of rows is released with the last of its objects`() throws {
        let context = try library.context().context
        var watch = Watch()
        var authors = try context.fetch(Author.self, order: .ascending(\.name))
        watch.group = authors[0].group
        var last: Author? = authors.popLast()
        authors = []
        #expect(watch.group != nil)
        // A fault has no row, and shares the batch of objects without rows.
        if let last { context.refault(last) }
        #expect(watch.group == nil)
        #expect(last?.name != nil)
        last = nil
        #expect(context.graph.identities.all.isEmpty)
    }

    @Test func `New objects and faults retain the graph too`() throws {
        var watch = Watch()
        func object(_ isNew: Bool) throws -> ManagedObject {
            let context = try library.context().context
            watch.graph = context.graph
            if isNew { return Author(in: context, name: "new") }
            let id = try #require(context.fetchIDs(FetchRequest<Author>()).first)
            return try context.object(with: id)
        }
        for isNew in [true, false] {
            var kept: ManagedObject? = try object(isNew)
            #expect(kept?.graph === watch.graph && watch.graph != nil)
            kept = nil
            #expect(watch.graph == nil)
        }
    }

    @Test(arguments: [UInt64(1), 2, 3, .random(in: .min ... .max)])
    func `Objects keep what they own through all changes`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var watches: [Watch] = []
        func live() throws {
            let context = try library.context().context
            var kept: [Author] = []
            for step in 0..<200 {
                switch Int.random(in: 0..<7, using: &random) {
                case 0, 1:
                    kept += try context.fetch(Author.self, limit: Int.random(in: 1...5, using: &random))
                case 2: kept.append(Author(in: context, name: "\(seed) \(step)"))
                case 3: kept.randomElement(using: &random).map { context.refault($0) }
                case 4: kept.randomElement(using: &random)?.born += 1
                case 5: try context.save()
                default:
                    kept.shuffle(using: &random)
                    kept.removeLast(kept.count / 2)
                }
                for author in kept {
                    watches.append(Watch(graph: author.graph, group: author.group))
                    #expect(author.graph === context.graph, "seed \(seed)")
                    #expect(!author.name.isEmpty, "seed \(seed)")
                }
            }
        }
        try live()
        #expect(watches.allSatisfy { $0.graph == nil && $0.group == nil }, "seed \(seed)")
    }
}
