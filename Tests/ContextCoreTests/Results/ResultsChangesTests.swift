import Testing

@testable import ContextCore

struct ResultsChangesTests {
    private let store: Store

    init() throws {
        store = try Store.inMemory([Author.self, Rack.self, Book.self, Topic.self, Loan.self, Reader.self])
    }

    private func add(_ names: String...) async throws {
        try await store.write("add") { context in
            for name in names { _ = Author(in: context, name: name) }
        }
    }

    @Test func `A consumer in another isolation gets the whole list, then others' saves`() async throws {
        try await add("Bob", "Ann")
        let editor = store.makeBackgroundContext()
        let changes = try await editor.perform { context in
            context.automaticallyMergesChanges = true
            return try FetchedResultsController(Author.self, order: .ascending(\.name), in: context).changes
        }
        var iterator = changes.makeAsyncIterator()
        let first = try #require(await iterator.next())
        #expect(first.steps.count == 2 && first.snapshot.count == 2)
        try await add("Abe")
        let second = try #require(await iterator.next())
        #expect(second.steps == [.insert(second.snapshot[0], at: ResultsPosition(section: 0, row: 0))])
        let name = try await editor.perform { try $0.object(with: second.snapshot[0], as: Author.self).name }
        #expect(name == "Abe")
    }

    @Test @MainActor func `On the main actor, a controller updates after the current code`() async throws {
        let context = store.viewContext
        context.automaticallyMergesChanges = true
        let controller = try FetchedResultsController(Author.self, order: .ascending(\.name), in: context)
        var iterator = controller.changes.makeAsyncIterator()
        #expect(await iterator.next()?.steps == [])
        let ann = Author(in: context, name: "Ann")
        #expect(controller.count == 0)
        #expect(await iterator.next()?.steps.count == 1)
        #expect(controller.objects == [ann])
        try await add("Bob")
        #expect(await iterator.next()?.steps.count == 1)
        #expect(controller.objects.map(\.name) == ["Ann", "Bob"])
    }

    @Test func `Changes of an empty list begin at once, with an empty difference`() async throws {
        let editor = store.makeBackgroundContext()
        let (changes, rows) = try await editor.perform { context in
            context.automaticallyMergesChanges = true
            let list = try FetchedResultsController(Author.self, order: .ascending(\.name), in: context)
            return (list.changes, try list.rows())
        }
        var (changesIterator, rowsIterator) = (changes.makeAsyncIterator(), rows.makeAsyncIterator())
        let first = try #require(await changesIterator.next())
        #expect(first.isEmpty && first.snapshot.count == 0 && !first.snapshot.isSectioned)
        let firstRows = try #require(await rowsIterator.next())
        #expect(firstRows.difference.isEmpty && firstRows.rows.isEmpty)
        try await add("Ann")
        #expect(await changesIterator.next()?.steps.count == 1)
        #expect(await rowsIterator.next()?.rows.count == 1)
    }

    @Test func `A consumer with a list is notified only of a newer one`() async throws {
        let editor = store.makeBackgroundContext()
        let changes = try await editor.perform { context in
            context.automaticallyMergesChanges = true
            let list = try FetchedResultsController(Author.self, order: .ascending(\.name), in: context)
            return list.changes(since: list.snapshot)
        }
        try await add("Ann")
        var iterator = changes.makeAsyncIterator()
        #expect(await iterator.next()?.snapshot.count == 1)
    }

    @Test func `Differences that are not consumed are merged`() async throws {
        let editor = store.makeBackgroundContext()
        let changes = try await editor.perform { context in
            try FetchedResultsController(Author.self, order: .ascending(\.born), in: context).changes
        }
        for round in 0..<50 {
            try await editor.perform { context in
                if round == 0 { _ = (Author(in: context, name: "Ann"), Author(in: context, name: "Bob")) }
                for author in try context.fetch(Author.self) { author.born = round % 7 - author.born }
            }
        }
        var iterator = changes.makeAsyncIterator()
        #expect(await iterator.next()?.steps.count == 2)
        try await editor.perform { try context($0).born = 1000 }
        try await editor.perform { try context($0).born = 1 }
        let last = try #require(await iterator.next())
        #expect(last.steps.count == 1 && last.snapshot.count == 2)
    }

    private func context(_ context: ObjectContext) throws -> Author {
        try #require(try context.first(Author.self, order: .ascending(\.name)))
    }

    @Test func `A controller lives as long as its changes are awaited, and ends with the context`()
        async throws
    {
        var editor: ContextActor? = store.makeBackgroundContext()
        var changes = try await editor?.perform { context in
            try FetchedResultsController(Author.self, order: .ascending(\.name), in: context).changes
        }
        #expect(try await editor?.perform { $0.graph.isFollowed } == true)
        var iterator = changes?.makeAsyncIterator()
        editor = nil
        #expect(await iterator?.next()?.isEmpty == true)
        #expect(await iterator?.next() == nil)
        (changes, iterator) = (nil, nil)
        let other = store.makeBackgroundContext()
        changes = try await other.perform { context in
            try FetchedResultsController(Author.self, order: .ascending(\.name), in: context).changes
        }
        changes = nil
        try await other.perform { _ in }
        #expect(try await other.perform { $0.graph.isFollowed } == false)
    }
}
