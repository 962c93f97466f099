import Testing

@testable import ContextCore

struct ChildContextTests {
    @Test func `A child sees its parent's pending changes, and saves one level up`() throws {
        let library = try Library()
        let context = try library.context().context
        let author = Author(in: context, name: "Ann")
        let child = context.makeChild()
        let grandchild = child.makeChild()
        let copy = try #require(try grandchild.first(FetchRequest<Author>()))
        #expect(copy.objectID == author.objectID && copy !== author)
        copy.name = "Bea"
        _ = Book(in: grandchild, title: "Go", author: copy)
        try grandchild.save()
        #expect(author.name == "Ann" && child.hasChanges)
        try grandchild.saveToStore()
        #expect(author.name == "Bea" && author.books.map(\.title) == ["Go"])
        #expect(try library.context().context.count(FetchRequest<Book>()) == 1)
    }

    @Test func `An object deleted in the parent is unreachable, whatever the delete rule`() throws {
        let library = try Library()
        let context = try library.context().context
        let reader = Reader(in: context, name: "Ann")
        let loan = Loan(in: context, reader: reader)
        try context.save()
        context.delete(reader)
        let grandchild = context.makeChild().makeChild()
        let copy = try grandchild.object(with: loan.objectID, as: Loan.self)
        #expect(loan.reader == nil && copy.reader == nil)
        context.rollback()
        #expect(copy.reader?.name == "Ann")
    }

    @Test func `A child's save is validated against its parent`() throws {
        let library = try Library()
        try library.fill(authors: 1)
        let context = try library.context().context
        let child = context.makeChild()
        let mine = try #require(try child.first(FetchRequest<Author>()))
        let above = try context.object(with: mine.objectID, as: Author.self)
        mine.born = 1
        above.name = "renamed"
        try child.save()
        #expect(above.born == 1 && above.name == "renamed")
        mine.born = 2
        above.born = 3
        let error = #expect(throws: StoreError.self) { try child.save() }
        #expect(error?.code == .conflict && mine.born == 2 && above.born == 3)
        child.mergePolicy = .objectWins
        try child.save()
        #expect(above.born == 2)
    }

    @Test func `Rolling back to the store drops pending changes on every level`() throws {
        let library = try Library()
        try library.fill(authors: 1)
        let context = try library.context().context
        let child = context.makeChild()
        let author = try #require(try child.first(FetchRequest<Author>()))
        author.born = 9
        try child.save()
        author.name = "x"
        child.rollbackToStore()
        #expect(author.name == "author 0" && author.born == 0 && !context.hasChanges)
    }

    @Test func `Pending changes count in fetches, counts, windows and pages`() throws {
        let library = try Library()
        try library.fill(authors: 4, books: 0)
        let context = try library.context().context
        let authors = try context.fetch(FetchRequest<Author>(order: [try SortKey("born")]))
        authors[0].born = 10
        context.delete(authors[1])
        _ = Author(in: context, name: "new", born: 5)
        var request = FetchRequest<Author>(
            where: try FetchPredicate("born >= 3"), order: [try SortKey("born")])
        #expect(try context.fetch(request).map(\.born) == [3, 5, 10])
        #expect(try context.count(request) == 3)
        request.includesPendingChanges = false
        #expect(try context.count(request) == 1)
        request.includesPendingChanges = true
        request.offset = 1
        request.limit = 1
        #expect(try context.makeChild().fetch(request).map(\.born) == [5])
        request = FetchRequest(order: [SortKey("born", isDescending: true)], batchSize: 2)
        #expect(try context.fetchPages(request).map(\.born) == [10, 5, 3, 2])
    }

    @Test func `Undo groups are undone as one, nested ones with the outermost`() throws {
        let context = try Library().context().context
        context.isUndoEnabled = true
        let author = Author(in: context, name: "Ann")
        context.processPendingChanges()
        context.undoGroup("rename") {
            author.name = "Bea"
            context.undoGroup("inner") { author.born = 3 }
        }
        #expect(context.undoNames == ["rename", nil])
        context.undo()
        #expect(author.name == "Ann" && author.born == 0)
        context.redo()
        #expect(author.name == "Bea" && author.born == 3)
        context.undo()
        context.undo()
        #expect(author.isDeleted && !context.hasChanges && !context.canUndo)
    }

    @Test func `Snapshots are values that lead to their objects`() throws {
        let library = try Library()
        try library.fill(authors: 1)
        let context = try library.context().context
        let author = try #require(try context.first(FetchRequest<Author>()))
        let snapshot: ObjectSnapshot = author.snapshot()
        #expect(snapshot.value("name") == "author 0")
        #expect(try context.object(from: snapshot) === author)
    }

    @Test func `Reset removes every object`() throws {
        let library = try Library()
        try library.fill(authors: 1)
        let context = try library.context().context
        let author = try #require(try context.first(FetchRequest<Author>()))
        author.born = 5
        context.reset()
        #expect(!context.hasChanges && context.registeredObjects.isEmpty)
        let again: Author = try #require(try context.first(FetchRequest<Author>()))
        #expect(again !== author)
    }
}
