import Testing

@testable import ContextCore

/// Fetches across relationships in a context with pending changes.
struct PendingFetchTests {
    @Test func `A relationship to its own entity shows pending changes`() throws {
        let store = try CountryStore()
        let writer = try store.context()
        let old = Tenant(in: writer, name: "old")
        let kitten = Tenant(in: writer, name: "kitten", mother: old)
        try writer.save()
        let context = try store.context()
        let mother = try context.object(with: old.objectID, as: Tenant.self)
        mother.name = "new"
        let request = FetchRequest<Tenant>(where: try FetchPredicate("mother.name = 'new'"))
        #expect(try context.fetch(request).map(\.objectID) == [kitten.objectID])
        context.delete(mother)
        #expect(try context.fetch(request).isEmpty)
    }

    @Test func `A fetch ignores pending changes of properties that it doesn't use`() throws {
        let library = try Library()
        try library.fill(authors: 5, books: 2)
        let (context, parent) = try library.unreliableContext()
        let author = try #require(try context.first(FetchRequest<Author>(order: [SortKey("born")])))
        author.born = 1000
        _ = Author(in: context, name: "new")
        let request = FetchRequest<Book>(
            where: try FetchPredicate("author.name = 'author 0'"), order: [try SortKey("title")], limit: 1)
        let found = try context.fetch(request)
        #expect(found.map(\.title) == ["book 0 0"])
        #expect(parent.lastFetch?.limit == 1 && parent.lastFetch?.predicate != nil)
        author.name = "renamed"
        #expect(try context.fetch(request).isEmpty)
        found[0].author = try context.object(with: author.objectID, as: Author.self)
        author.name = "author 0"
        #expect(try context.fetch(request).map(\.title) == ["book 0 0"])
        found[0].author = Author(in: context, name: "other")
        #expect(try context.fetch(request).map(\.title) == ["book 0 1"])
    }
}
