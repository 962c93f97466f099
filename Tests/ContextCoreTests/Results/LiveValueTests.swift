import Testing

@testable import ContextCore

@Suite(.timeLimit(.minutes(20))) struct LiveValueTests {
    private let library: Library

    init() throws {
        library = try Library()
        try library.fill(authors: 3)
    }

    @Test func `A context is released while its values are awaited, which ends them`() async throws {
        weak var graph: ObjectGraph?
        func values() throws -> LiveValues<Int> {
            let context = try library.context().context
            graph = context.graph
            return try LiveValue(Author.self, .count(), in: context).values
        }
        let counts = try values()
        #expect(graph == nil)
        var reported: [Int] = []
        for await count in counts { reported.append(count) }
        #expect(reported == [3])
    }

    @Test func `The callback of a released live value isn't called`() async throws {
        let context = try library.context().context
        var reported = 0
        func follow() throws -> (LiveValues<Int>, ResultsChanges) {
            let count = try LiveValue(Author.self, .count(), in: context)
            let list = try FetchedResultsController(Author.self, order: .ascending(\.name), in: context)
            count.onChange = { [unowned count] in reported += $0 - count.value + 1 }
            list.onChange = { [unowned list] _ in reported += list.count }
            return (count.values, list.changes)
        }
        let (counts, changes) = try follow()
        var (count, change) = (counts.makeAsyncIterator(), changes.makeAsyncIterator())
        #expect(await count.next() == 3)
        #expect(await change.next()?.snapshot.count == 3)
        _ = Author(in: context, name: "new")
        context.processPendingChanges()
        #expect(reported == 0)
        #expect(await count.next() == 4)
        #expect(await change.next()?.snapshot.count == 4)
    }
}
