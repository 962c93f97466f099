import Testing

@testable import ContextCore

@Suite(.timeLimit(.minutes(20))) @MainActor struct StoreFollowingTests {
    private let store: Store

    init() throws {
        store = try Store.inMemory([Author.self, Rack.self, Book.self, Topic.self, Loan.self, Reader.self])
    }

    private func rename(_ id: ObjectID, _ name: String) async throws {
        try await store.write("rename") { try $0.object(with: id, as: Author.self).name = name }
    }

    @Test func `A context that follows the store merges when it fetches, and not before`() async throws {
        let context = store.viewContext
        let author = Author(in: context, name: "Ann")
        let book = Book(in: context, title: "one", author: author)
        try context.save()
        let (id, bookID) = (author.objectID, book.objectID)
        #expect(author.books == [book])
        try await rename(id, "Bo")
        try await rename(id, "Cid")
        try await store.write("more") { context in
            _ = Book(in: context, title: "two", author: try context.object(with: id, as: Author.self))
            context.delete(try context.object(with: bookID))
        }
        #expect(author.name == "Ann" && !book.isDeleted)
        #expect(try context.count(Book.self) == 1)
        #expect(author.name == "Cid" && author.books.map(\.title) == ["two"] && book.isDeleted)
        context.automaticallyMergesChanges = false
        try await rename(id, "Dan")
        try context.mergeStoreChanges()
        #expect(author.name == "Cid" && !context.automaticallyMergesChanges)
    }

    @Test func `Pending changes stay over others' saves, and changes of both are conflicts`() async throws {
        let context = store.viewContext
        let author = Author(in: context, name: "Ann")
        try context.save()
        author.born = 1900
        try await rename(author.objectID, "Bo")
        try context.mergeStoreChanges()
        #expect(author.name == "Bo" && author.born == 1900)
        try context.save()
        author.name = "Cy"
        author.born = 1901
        try await rename(author.objectID, "Dan")
        try context.mergeStoreChanges()
        #expect(author.name == "Cy" && author.born == 1901)
        #expect { try context.save() } throws: { ($0 as? StoreError)?.code == .conflict }
        context.rollback()
        try context.mergeStoreChanges()
        #expect(author.name == "Dan" && author.born == 1900)
    }

    @Test func `An object that others have deleted stays while it has pending changes`() async throws {
        let context = store.viewContext
        let author = Author(in: context, name: "Ann")
        try context.save()
        author.born = 1900
        let id = author.objectID
        try await store.write("delete") { $0.delete(try $0.object(with: id)) }
        try context.mergeStoreChanges()
        #expect(!author.isDeleted)
        #expect { try context.save() } throws: { ($0 as? StoreError)?.code == .conflict }
        context.rollback()
        try context.mergeStoreChanges()
        #expect(author.isDeleted)
    }

    @Test func `An object that others have deleted is removed once its pending links are saved`() async throws
    {
        let context = store.viewContext
        let topic = Topic(in: context, name: "Go")
        let book = Book(in: context, title: "one", topics: [topic])
        try context.save()
        #expect(topic.books == [book])
        book.topics = []
        let id = topic.objectID
        try await store.write("delete") { $0.delete(try $0.object(with: id)) }
        try context.mergeStoreChanges()
        try context.save()
        try context.mergeStoreChanges()
        #expect(topic.isDeleted && book.topics.isEmpty && !context.hasChanges)
    }

    @Test func `A context's own saves are not merged`() async throws {
        let editor = store.makeBackgroundContext()
        let id = try await editor.perform { context in
            context.automaticallyMergesChanges = true
            let author = Author(in: context, name: "Ann")
            try context.save()
            #expect(context.graph.inbox?.removeAll().isEmpty == true)
            return author.objectID
        }
        try await rename(id, "Bo")
        let name = try await editor.perform { try $0.object(with: id, as: Author.self).name }
        #expect(name == "Bo")
        try await store.write("block") { context in
            context.automaticallyMergesChanges = true
            #expect(!context.automaticallyMergesChanges)
        }
    }

    @Test func `The main actor's context follows the store by default`() async throws {
        let context = store.viewContext
        #expect(context.automaticallyMergesChanges)
        let list = try FetchedResultsController(Author.self, order: .ascending(\.name), in: context)
        var changes = list.changes.makeAsyncIterator()
        #expect(await changes.next()?.snapshot.count == 0)
        try await store.write("other") { _ = Author(in: $0, name: "Ann") }
        #expect(await changes.next()?.snapshot.count == 1)
        #expect(list.objects.map(\.name) == ["Ann"])
    }

    @Test func `An existing list is correct if its context follows the store later`() async throws {
        let context = store.viewContext
        context.automaticallyMergesChanges = false
        let author = Author(in: context, name: "Ann")
        try context.save()
        let list = try FetchedResultsController(Author.self, order: .ascending(\.name), in: context)
        var changes = list.changes.makeAsyncIterator()
        #expect(await changes.next()?.snapshot.count == 1)
        let id = author.objectID
        try await store.write("before") { context in
            _ = Author(in: context, name: "Bo")
            try context.object(with: id, as: Author.self).born = 1900
        }
        context.automaticallyMergesChanges = true
        // The context merges automatically.
        #expect(await changes.next()?.snapshot.count == 2)
        #expect(author.born == 1900)
        try await store.write("after") { _ = Author(in: $0, name: "Cid") }
        try context.mergeStoreChanges()
        #expect(list.objects.map(\.name) == ["Ann", "Bo", "Cid"])
        #expect(
            try context.fetch(Author.self, order: .ascending(\.name)).map(\.name) == ["Ann", "Bo", "Cid"])
    }

    @Test func `Objects without a list get the saves before their context followed the store`() async throws {
        let context = store.viewContext
        context.automaticallyMergesChanges = false
        let author = Author(in: context, name: "Ann")
        try context.save()
        try await rename(author.objectID, "Bo")
        #expect(author.name == "Ann")
        context.automaticallyMergesChanges = true
        try context.mergeStoreChanges()
        #expect(author.name == "Bo")
    }

    @Test func `A fetch can update objects`() async throws {
        let context = store.viewContext
        context.automaticallyMergesChanges = false
        let (author, other) = (Author(in: context, name: "Ann"), Author(in: context, name: "Eve"))
        try context.save()
        other.born = 7
        try await rename(author.objectID, "Bo")
        try await rename(other.objectID, "Fay")
        let old = try context.fetch(FetchRequest<Author>(order: [SortKey("name")]))
        #expect(old.map(\.name) == ["Ann", "Eve"])
        var request = try FetchRequest<Author>(order: [SortKey("name")])
        request.refreshesObjects = true
        #expect(try context.fetch(request).map(\.name) == ["Bo", "Fay"])
        #expect(other.born == 7 && author.name == "Bo" && other.hasChanges)
    }
}
