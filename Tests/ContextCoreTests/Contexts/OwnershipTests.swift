import Testing

@testable import ContextCore

struct OwnershipTests {
    @Test func `New objects of two contexts have different identifiers`() throws {
        let context = try Library().context().context
        let child = context.makeChild()
        let above = Author(in: context, name: "above")
        let own = Author(in: child, name: "own")
        #expect(above.objectID != own.objectID)
        #expect { try child.object(with: above.objectID) } throws: {
            ($0 as? StoreError)?.code == .objectNotFound
        }
    }

    @Test func `A context assigns no identifier to another context's object`() async {
        await #expect(processExitsWith: .failure) {
            let context = try Library().context().context
            let author = Author(in: context, name: "Ann")
            try context.makeChild().obtainPermanentIDs(for: [author])
        }
    }

    @Test func `An object that is listed twice gets one identifier, and others keep their temporary ones`()
        throws
    {
        let context = try Library().context().context
        let (ann, bo) = (Author(in: context, name: "Ann"), Author(in: context, name: "Bo"))
        try context.obtainPermanentIDs(for: [ann, ann])
        #expect(!ann.objectID.isTemporary)
        #expect(bo.objectID.isTemporary)
        let child = context.makeChild()
        try child.fetch(Author.self, where: \.name == "Bo").first?.born = 7
        try child.save()
        try context.save()
        #expect(bo.born == 7)
        #expect(try context.count(Author.self) == 2)
    }

    @Test func `A context doesn't refresh another context's object`() async {
        await #expect(processExitsWith: .failure) {
            let library = try Library()
            try library.fill(authors: 1)
            let author = try #require(try library.context().context.first(FetchRequest<Author>()))
            try library.context().context.refresh(author)
        }
    }

    @Test func `A store released on another thread leaves the view context to the main one`() async throws {
        try await Self.dropStoreElsewhere()
    }

    @MainActor private static func dropStoreElsewhere() async throws {
        var store: Store? = try Store.inMemory(try Library().coordinator.model)
        try await store?.write("fill") { context in
            for number in 0..<200 { _ = Author(in: context, name: "author \(number)") }
        }
        let authors = try #require(store).viewContext.fetch(Author.self)
        let last = store
        store = nil
        let task = Task.detached {
            await Task.yield()
            withExtendedLifetime(last) {}
        }
        for author in authors { #expect(author.name.hasPrefix("author")) }
        await task.value
    }
}
