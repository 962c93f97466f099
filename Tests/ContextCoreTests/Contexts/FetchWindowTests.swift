import Testing

@testable import ContextCore

/// Limits and offsets out of range, such as a page number from a URL.
struct FetchWindowTests {
    private let library: Library
    private let context: ObjectContext
    private let parent: UnreliableParent

    init() throws {
        library = try Library()
        try library.fill(authors: 3, books: 0)
        (context, parent) = try library.unreliableContext()
    }

    private func expect(_ limit: Int?, _ offset: Int, _ born: [Int]) throws {
        let request = FetchRequest<Author>(order: [try SortKey("born")], limit: limit, offset: offset)
        #expect(try context.fetch(request).map(\.born) == born)
        #expect(try context.count(request) == born.count)
        #expect(try context.fetchIDs(request).count == born.count)
    }

    @Test(arguments: [false, true]) func `Negative and huge windows`(isPending: Bool) throws {
        if isPending { _ = Author(in: context, name: "new", born: 3) }
        let all = isPending ? [0, 1, 2, 3] : [0, 1, 2]
        try expect(-1, 0, [])
        try expect(.min, .min, [])
        try expect(2, -1, [0, 1])
        try expect(nil, -5, all)
        try expect(.max, 1, Array(all.dropFirst()))
        try expect(.max, .max, [])
        try expect(1, .max, [])
    }

    @Test func `A plan's window is never negative`() {
        var fetch = FetchPlan(entityIndex: 0, limit: -1, offset: -1)
        var aggregate = AggregatePlan(entityIndex: 0, columns: [.rowCount], limit: -1, offset: -1)
        #expect(fetch.limit == 0 && fetch.offset == 0 && aggregate.limit == 0 && aggregate.offset == 0)
        (fetch.limit, fetch.offset) = (-2, -2)
        (aggregate.limit, aggregate.offset) = (-2, -2)
        #expect(fetch.limit == 0 && fetch.offset == 0 && aggregate.limit == 0 && aggregate.offset == 0)
    }

    @Test func `Pages contain new objects across their save`() throws {
        let new = Author(in: context, name: "new", born: 9)
        let pages = try context.fetchPages(FetchRequest<Author>(order: [SortKey("born")], batchSize: 1))
        try context.save()
        #expect(pages.map(\.name) == ["author 0", "author 1", "author 2", "new"] && pages[3] === new)
        #expect(context.registeredObjects.allSatisfy { !$0.objectID.isTemporary })
    }

    @Test func `New objects don't extend the request to the store`() throws {
        for number in 0..<50 { _ = Author(in: context, name: "new \(number)", born: 100 + number) }
        let authors = try context.fetch(FetchRequest<Author>(order: [SortKey("born")]))
        authors[0].born = 200
        context.delete(authors[1])
        let found = try context.fetch(FetchRequest<Author>(order: [SortKey("born")], limit: 1))
        #expect(found.map(\.born) == [2] && (parent.lastFetch?.limit ?? .max) <= 3)
    }

    @Test func `A deleted object doesn't exist, loaded or not`() throws {
        let id = try #require(try context.fetchIDs(FetchRequest<Author>()).first)
        let author = try context.object(with: id)
        context.delete(author)
        #expect(author.isFault)
        #expect(throws: StoreError.self) { try context.existingObject(with: id) }
    }
}
