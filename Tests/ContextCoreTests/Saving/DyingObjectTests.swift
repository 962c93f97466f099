import Testing

@testable import ContextCore

/// An object whose `deinit` changes another object of its class.
@Entity private final class Heir: ManagedObject {
    var wealth: Int = 0

    // nonisolated(unsafe): only one test sets it, and the objects are released on its thread.
    nonisolated(unsafe) static var next: Heir?

    deinit { Self.next?.wealth += 1 }
}

struct DyingObjectTests {
    @Test func `An object that a save releases may change others in its deinit`() throws {
        let model = try ObjectModel([Heir.self])
        let context = ObjectContext(
            model: model,
            parent: StoreParent(try Pipeline(InMemoryCoordinator(model: model)), name: "heirs"))
        var changed: Heir? = Heir(in: context)
        let next = Heir(in: context)
        try context.save()
        Heir.next = next
        defer { Heir.next = nil }
        changed?.wealth = 5
        // From here on only the context has a reference, as the object is changed.
        changed = nil
        try context.save()
        #expect(next.wealth == 1 && next.hasChanges)
        try context.save()
        #expect(!next.hasChanges)
        // Releasing everything at once works too.
        Heir(in: context).wealth = 7
        context.reset()
    }

    @Test func `An object retained only by unreported changes is released with the last controller`() throws {
        let library = try Library()
        try library.fill(authors: 1, books: 0)
        let context = try library.context().context
        context.inaccessibleFaults = .deletedObject
        var author: Author? = try context.fetch(FetchRequest<Author>()).first
        let changes = author?.changes(of: \.name)
        var controller: FetchedResultsController<Book>? = try FetchedResultsController(Book.self, in: context)
        let other = try library.context().context
        for author in try other.fetch(FetchRequest<Author>()) { other.delete(author) }
        try other.save()
        author.map { context.refault($0) }
        // The row is gone, so the author becomes a deleted object, which the context references until the controller has been notified.
        #expect(author?.name.isEmpty == true && author?.isDeleted == true)
        weak let watched = author
        author = nil
        #expect(watched != nil)
        controller = nil
        #expect(watched == nil && controller == nil)
        withExtendedLifetime(changes) {}
        #expect(context.graph.watchers.isEmpty && !context.graph.isObserved)
    }

    @Test func `An awaited controller that only the context retains is released with it`() throws {
        let library = try Library()
        try library.fill(authors: 1, books: 0)
        var context: ObjectContext? = try library.context().context
        weak let graph = context?.graph
        var changes: ResultsChanges?
        if let context { changes = try FetchedResultsController(Author.self, in: context).changes }
        context = nil
        changes = nil
        #expect(graph == nil && changes == nil)
    }

    @Test func `Deleted objects are freed when undo no longer needs them`() throws {
        let context = try Library().context().context
        context.isUndoEnabled = true
        weak var book: Book?
        weak var loan: Loan?
        func deleteBook() throws {
            let new = Book(in: context, title: "Emma")
            let newLoan = Loan(in: context, book: new)
            try context.save()
            context.delete(new)
            try context.save()
            (book, loan) = (new, newLoan)
        }
        try deleteBook()
        context.undo()
        #expect(book?.loans.count == 1, "Undo restores the book with its loan")
        context.redo()
        try context.save()
        #expect(book != nil && loan != nil)
        context.rollback()
        #expect(book == nil && loan == nil)

        try deleteBook()
        context.isUndoEnabled = false
        #expect(book == nil && loan == nil)
    }

    @Test func `Objects whose insertion was undone are freed after another change`() throws {
        let context = try Library().context().context
        context.isUndoEnabled = true
        weak var book: Book?
        func insertBook() {
            let new = Book(in: context, title: "Emma")
            _ = Loan(in: context, book: new)
            context.processPendingChanges()
            context.undo()
            book = new
        }
        insertBook()
        #expect(book != nil && context.canRedo)
        _ = Author(in: context, name: "Jane")
        try context.save()
        #expect(book == nil && !context.canRedo)
    }
}
