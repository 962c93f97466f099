import Testing

@testable import ContextCore

/// Controllers after failed saves, merges and reads.
struct ResultsRecoveryTests {
    private let library: Library
    private let context: ObjectContext
    private let parent: UnreliableParent

    init() throws {
        library = try Library()
        try library.fill(authors: 3)
        (context, parent) = try library.unreliableContext()
    }

    private func authors(_ limit: Int? = nil, in context: ObjectContext) throws
        -> FetchedResultsController<Author>
    {
        try FetchedResultsController(Author.self, order: .ascending(\.name), limit: limit, in: context)
    }

    /// Renames an author in another context, and returns the change.
    private func rename(_ id: ObjectID, _ name: String) throws -> StoreChange {
        let other = try library.context().context
        try other.object(with: id, as: Author.self).name = name
        try other.save()
        var effects = NetEffects()
        effects.record(.update, id)
        let token = StoreToken(storeID: library.coordinator.storeID, sequence: 1)
        return StoreChange(token: token, contextName: nil, author: nil, effects: effects)
    }

    @Test func `A failed save of a child leaves no row behind`() throws {
        let child = context.makeChild()
        let (above, mine) = (try authors(in: context), try authors(in: child))
        let held = try #require(try context.first(FetchRequest<Author>()))
        held.born = 2
        try child.object(with: held.objectID, as: Author.self).born = 3
        let new = Author(in: child, name: "new")
        held.born = 4
        #expect(throws: StoreError.self) { try child.save() }
        #expect(mine.count == 4 && Set(mine.objects).count == 4 && above.count == 3)
        child.mergePolicy = .objectWins
        try child.save()
        #expect(mine.count == 4 && mine.objects.contains(new) && above.count == 4)
        try context.save()
        let fresh = try child.fetch(FetchRequest<Author>(order: [SortKey("name")]))
        #expect(mine.objects == fresh && above.count == 4)
    }

    @Test func `A child's save reports every row once, if its order depends on the changes`() throws {
        let child = context.makeChild()
        let books = try FetchedResultsController(
            Book.self, order: .ascending(\.author?.name), limit: 10, in: child)
        let author = try #require(try child.first(FetchRequest<Author>()))
        author.name = "A"
        _ = Book(in: child, title: "x", author: author)
        try child.save()
        #expect(books.count == 4 && Set(books.objects).count == 4)
    }

    @Test func `Changes that can't be merged are merged later, without an error`() throws {
        let controller = try authors(in: context)
        let first = controller[0]
        let inbox = ChangeMailbox()
        context.graph.inbox = inbox
        inbox.post(try rename(first.objectID, "zz"))
        parent.isLost = true
        #expect(throws: StoreError.self) { try context.mergeStoreChanges() }
        #expect(controller[0] === first && controller.failure == nil)
        context.graph.mergeStoreChanges()
        parent.isLost = false
        context.graph.mergeStoreChanges()
        #expect(controller[2] === first && first.name == "zz" && controller.failure == nil)
        context.graph.recordUnknownChanges()
        parent.isLost = true
        context.processPendingChanges()
        #expect(controller.failure != nil)
        parent.isLost = false
        context.processPendingChanges()
        #expect(controller.failure == nil)
        try context.save()
    }

    @Test func `A mailbox notifies again after a failed read`() throws {
        let inbox = ChangeMailbox()
        let calls = Guarded(0)
        inbox.onMessage { calls.withLock { $0 += 1 } }
        let id = try #require(try context.first(FetchRequest<Author>())).objectID
        let change = try rename(id, "a")
        inbox.post(change)
        inbox.post(change)
        #expect(calls.withLock { $0 } == 1)
        _ = inbox.removeAll(through: StoreToken(storeID: library.coordinator.storeID, sequence: 0))
        inbox.post(change)
        #expect(calls.withLock { $0 } == 2)
        for change in inbox.removeAll() { inbox.insertFirst(change) }
        inbox.post(change)
        #expect(calls.withLock { $0 } == 3)
    }

    @Test func `A batch succeeds although its objects can't be read`() throws {
        let controller = try authors(in: context)
        let objects = controller.objects
        parent.isLostAfterBatch = true
        let result = try context.batchUpdate(Author.self, .set(\.born, to: 1900))
        #expect(result.updated.count == 3)
        parent.isLost = false
        context.processPendingChanges()
        #expect(objects.allSatisfy { $0.born == 1900 } && controller.failure == nil)
    }

    @Test func `Running a request again reports only the differences`() throws {
        let controller = try authors(in: context)
        var reported: [[ResultsStep]] = []
        controller.onChange = { reported.append($0.steps) }
        let other = try library.context().context
        _ = Author(in: other, name: "a new one")
        try other.save()
        try controller.refetch()
        #expect(reported.count == 1 && reported[0].count == 1 && controller.count == 4)
        try controller.refetch()
        #expect(reported.count == 1)
    }

    @Test func `A list of another controller is updated in every row`() throws {
        var first: FetchedResultsController<Author>? = try FetchedResultsController(
            Author.self, order: .ascending(\.born), in: context)
        let shown = try #require(first?.snapshot)
        first = nil
        try #require(try context.first(FetchRequest<Author>())).name = "else"
        try context.save()
        let second = try FetchedResultsController(Author.self, order: .ascending(\.born), in: context)
        let steps = second.snapshot.difference(from: shown).steps
        #expect(steps.count == 3)
        withExtendedLifetime(first) {}
    }

    @Test func `Errors of properties are thrown to the program, despite observers`() throws {
        let controller = try authors(in: context)
        let author = controller[0]
        controller.onChange = { [parent, context] _ in
            parent.isLost = true
            context.delete(author)
            parent.isLost = false
        }
        let book = try #require(author.books.first)
        _ = Loan(in: context, book: book)
        try context.save()
        context.refault(author)
        controller.onChange = { [parent] _ in
            parent.isLost = true
            _ = author.books
            parent.isLost = false
        }
        _ = Author(in: context, name: "new")
        context.processPendingChanges()
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .database)
    }

    @Test func `A list is fetched again if there are more changes than rows`() async throws {
        let store = try Store.inMemory([Remark.self])
        try await store.makeBackgroundContext().perform { context in
            let few = try FetchedResultsController(
                Remark.self, where: \.number < 0, order: .ascending(\.number), in: context)
            try context.batchInsert(Remark.self, from: 0..<5000) { [.set(\.text, to: "\($0)")] }
            #expect(few.count == 0 && few.results.evaluationCount == 0 && few.results.runCount == 2)
        }
        await store.close()
    }
}
