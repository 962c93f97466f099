import Testing

@testable import ContextCore

struct PrefetchingTests {
    private let library: Library
    private let coordinator: SharedCoordinator

    init() throws {
        library = try Library()
        try library.fill(authors: 5, books: 2)
        coordinator = SharedCoordinator(library.coordinator)
    }

    @Test func `A fetch and its prefetches have one snapshot`() async throws {
        let store = try Store(coordinator: coordinator, options: StoreOptions())
        let actor = store.makeBackgroundContext()
        for isPending in [false, true] {
            coordinator.readCount.withLock { $0 = 0 }
            try await actor.perform { context in
                if isPending { _ = Topic(in: context, name: "new") }
                let books = try context.fetch(
                    FetchRequest<Book>(prefetching: ["author", "topics", "author.books"]))
                #expect(books.count == 10 && books.allSatisfy { $0.author?.books.count == 2 })
            }
            #expect(coordinator.readCount.withLock { $0 } == 1)
        }
        await store.close()
    }

    @Test func `A child prefetches while its parent has new objects without permanent identifiers`()
        async throws
    {
        let store = try Store.inMemory([
            Author.self, Rack.self, Book.self, Topic.self, Loan.self, Reader.self,
        ])
        let count = try await store.makeBackgroundContext().perform { context in
            _ = Book(in: context, title: "new", author: Author(in: context, name: "Ann"))
            return try context.makeChild().fetch(FetchRequest<Book>(prefetching: ["author"])).count
        }
        #expect(count == 1)
        await store.close()
    }

    @Test func `Pages are prefetched like fetches`() throws {
        let (context, parent) = try library.context()
        let held = try context.fetch(FetchRequest<Book>(limit: 1))
        context.faulting = .forbid
        var request = FetchRequest<Book>(prefetching: ["author"])
        request.batchSize = 4
        let books = try context.fetchPages(request)
        let before = parent.reads
        #expect(books.map { $0.author?.name ?? "" }.count == 10)
        _ = try context.fetch(FetchRequest<Topic>())
        // Three pages, with their authors, and topics.
        #expect(parent.reads - before == 7 && held.count == 1)
    }

    @Test func `A fetch of all objects declares its owners complete`() throws {
        let (context, parent) = try library.context()
        let all = FetchRequest<Author>(prefetching: ["books"])
        var ordered = all
        ordered.order = [try SortKey("name")]
        for request in [all, ordered] { _ = try context.fetch(request) }
        _ = Topic(in: context, name: "pending")
        _ = try context.fetch(ordered)
        #expect(parent.relatedPlans.map(\.ownersAreAll) == [true, true, true])
        var some = [all, all, all]
        some[0].predicate = try FetchPredicate("born < 1")
        some[1].limit = 100
        some[2].offset = 1
        for request in some { _ = try context.fetch(request) }
        // Some books have no author.
        _ = try context.fetch(FetchRequest<Book>(prefetching: ["author.books"]))
        #expect(parent.relatedPlans.dropFirst(3).map(\.ownersAreAll) == [false, false, false, false])
    }

    @Test func `Owners are not complete with subentities, or if members outlive them`() throws {
        let coordinator = InMemoryCoordinator(
            model: try ObjectModel([Vessel.self, Tanker.self, Sailor.self, Container.self]))
        let parent = try CountingParent(coordinator)
        let context = ObjectContext(model: coordinator.model, parent: parent)
        let vessel = Vessel(in: context, name: "Ann")
        _ = Sailor(in: context, vessel: Tanker(in: context, name: "Bob"))
        _ = [Sailor(in: context, vessel: vessel), Sailor(in: context, vessel: vessel)]
        _ = Container(in: context, vessel: vessel)
        try context.save()
        var vessels = FetchRequest<Vessel>(prefetching: ["crew"])
        #expect(Set(try context.fetch(vessels).map(\.crew.count)) == [1, 2])
        #expect(try context.fetch(FetchRequest<Tanker>(prefetching: ["crew"])).map(\.crew.count) == [1])
        vessels.includesSubentities = false
        #expect(try context.fetch(vessels).map(\.crew.count) == [2])
        let freight = try context.fetch(FetchRequest<Vessel>(prefetching: ["freight"]))
        #expect(Set(freight.map(\.freight.count)) == [0, 1])
        #expect(parent.relatedPlans.map(\.ownersAreAll) == [true, false, false, false])
    }

    @Test func `An invalid path is rejected before the store is asked`() throws {
        let (context, parent) = try library.context()
        for path in ["title", "nobody", "author.nobody"] as [PropertyPath] {
            let request = FetchRequest<Book>(prefetching: [path])
            #expect(throws: StoreError.self) { try context.fetch(request) }
            #expect(throws: StoreError.self) { try context.fetchPages(request) }
        }
        #expect(parent.reads == 0)
    }
}

@Entity class Vessel: ManagedObject {
    var name: String
    @Relationship(inverse: \Sailor.vessel) var crew: Set<Sailor>
    @Relationship(deleteRule: .noAction, inverse: \Container.vessel) var freight: Set<Container>
}

@Entity final class Tanker: Vessel {}

@Entity final class Sailor: ManagedObject {
    var vessel: Vessel?
}

@Entity final class Container: ManagedObject {
    var vessel: Vessel?
}
