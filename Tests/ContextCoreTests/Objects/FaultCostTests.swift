import RandomSeeds
import Testing

@testable import ContextCore

/// The number of requests to the store, whatever the order in which properties are read.
struct FaultCostTests {
    @Test func `A to-many relationship is loaded in batches, in reverse order too`() throws {
        let library = try Library()
        try library.fill(authors: 1200)
        let (context, parent) = try library.context()
        let authors = try context.fetch(FetchRequest<Author>())
        for author in authors.reversed() { #expect(author.books.count == 1) }
        #expect(parent.relatedRequests == 3)
    }

    @Test func `Faults by identifier are fetched together, even after refaulting`() throws {
        let library = try Library()
        try library.fill(authors: 1200, books: 0)
        let (context, parent) = try library.context()
        let ids = try context.fetchIDs(FetchRequest<Author>())
        let authors = try ids.map { try context.object(with: $0, as: Author.self) }
        for author in authors.reversed() { #expect(author.born >= 0) }
        #expect(parent.rowRequests == 3)
        for author in authors { context.refault(author) }
        for author in authors { #expect(author.born >= 0) }
        #expect(parent.rowRequests == 6)
    }

    @Test func `Released faults are not fetched`() throws {
        let library = try Library()
        try library.fill(authors: 1200, books: 0)
        let (context, parent) = try library.context()
        let ids = try context.fetchIDs(FetchRequest<Author>())
        var total = 0
        for id in ids { total += try context.object(with: id, as: Author.self).born }
        #expect(total == 1200 * 1199 / 2 && parent.rowRequests == 1200)
        for id in ids { _ = try context.object(with: id) }
        let last = try context.object(with: ids[7], as: Author.self)
        #expect(last.born == 7)
        #expect(context.registeredObjects.count == 1)
    }

    @Test func `Rows are found in the latest part of an index that has them`() throws {
        let library = try Library()
        let model = library.coordinator.model
        let author = try #require(model.layout(named: "Author"))
        let seed = UInt64.random(in: 1...UInt64.max)
        var random = SeededRandom(seed: seed)
        let index = RowIndex()
        var known: [Int64: Int64] = [:]
        for version in 1...40 {
            var builder = RowBatchBuilder(model: model)
            var keys: Set<Int64> = []
            for _ in 0..<Int.random(in: 0...60, using: &random) {
                keys.insert(Int64.random(in: 1...500, using: &random))
            }
            for key in keys {
                builder.beginRow(key: key, version: Int64(version), entityIndex: author.index)
                known[key] = Int64(version)
            }
            index.add(RowGroup(try builder.finish()))
            for key in Int64(0)...501 {
                let found = index[key].map { $0.0.batch.version(at: Int($0.1)) }
                #expect(found == known[key], "key \(key), seed \(seed)")
            }
        }
    }

    @Test func `Members are added to an unloaded ordered list once each`() throws {
        let library = try Library()
        let writer = try library.context().context
        let stored = Rack(in: writer)
        stored.books = [Book(in: writer, title: "a"), Book(in: writer, title: "b")]
        try writer.save()
        let context = try library.context().context
        let rack = try context.object(with: stored.objectID, as: Rack.self)
        let first = try context.object(with: stored.books[0].objectID, as: Book.self)
        let new = Book(in: context, title: "c", rack: rack)
        first.rack = nil
        first.rack = rack
        first.rack = rack
        new.rack = rack
        #expect(rack.books.map(\.title) == ["b", "c", "a"])
        try context.save()
        let again = try library.context().context.object(with: stored.objectID, as: Rack.self)
        #expect(again.books.map(\.title) == ["b", "c", "a"])
    }
}
