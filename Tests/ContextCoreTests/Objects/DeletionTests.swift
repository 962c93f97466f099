import Testing

@testable import ContextCore

struct DeletionTests {
    @Test func `Nullify clears references, and a rollback restores them`() throws {
        let library = try Library()
        try library.fill(authors: 1, books: 2)
        let context = try library.context().context
        let author = try #require(try context.first(FetchRequest<Author>()))
        let books = author.books
        context.delete(author)
        #expect(books.allSatisfy { $0.author == nil } && author.isDeleted)
        context.rollback()
        #expect(!author.isDeleted && author.books == books && books.allSatisfy { $0.author === author })
        #expect(!context.hasChanges)
    }

    @Test func `Cascade deletes dependents`() throws {
        let library = try Library()
        let context = try library.context().context
        let book = Book(in: context, title: "Go")
        let loan = Loan(in: context, book: book)
        try context.save()
        context.delete(book)
        #expect(loan.isDeleted)
        try context.save()
        #expect(try context.count(FetchRequest<Loan>()) == 0)
        #expect(context.registeredObjects.isEmpty)
    }

    @Test func `Deny prevents a deletion as long as the relationship has members`() throws {
        let context = try Library().context().context
        let reader = Reader(in: context, name: "Ann")
        let loan = Loan(in: context, reader: reader)
        try context.save()
        context.delete(reader)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .validation && error?.failures.first?.property == "loans")
        #expect(
            error?.description
                == "1 object is not valid. \(reader.objectID) can't be deleted: 1 Loan object still refers to it "
                + "(loans). To delete an object, first delete the objects that refer to it, or let them refer to another."
        )
        context.delete(loan)
        try context.save()
        #expect(try context.count(FetchRequest<Reader>()) == 0)
    }

    @Test func `A deleted fault is restored with its values`() throws {
        let library = try Library()
        try library.fill(authors: 1)
        let context = try library.context().context
        context.isUndoEnabled = true
        let id = try #require(try context.fetchIDs(FetchRequest<Author>()).first)
        let author = try context.object(with: id, as: Author.self)
        #expect(author.isFault)
        context.delete(author)
        try context.save()
        context.undo()
        #expect(author.isInserted && author.name == "author 0" && author.born == 0)
    }

    @Test func `An insertion that was saved and turned into a fault can be redone`() throws {
        let context = try Library().context().context
        context.isUndoEnabled = true
        let author = Author(in: context, name: "Ann", born: 7)
        try context.save()
        context.refault(author)
        context.undo()
        try context.save()
        context.redo()
        #expect(author.isInserted && author.name == "Ann" && author.born == 7)
    }

    @Test func `A saved deletion can be undone and redone`() throws {
        let library = try Library()
        let context = try library.context().context
        context.isUndoEnabled = true
        let author = Author(in: context, name: "Ann", born: 7)
        let book = Book(in: context, title: "Go", author: author)
        try context.save()
        context.delete(author)
        try context.save()
        context.undo()
        #expect(author.isInserted && author.name == "Ann" && author.born == 7)
        #expect(author.books == [book] && book.author === author)
        try context.save()
        #expect(try library.context().context.fetch(FetchRequest<Author>()).map(\.name) == ["Ann"])
        context.redo()
        #expect(author.isDeleted && book.author == nil)
        try context.save()
        #expect(try library.context().context.count(FetchRequest<Author>()) == 0)
    }

    @Test func `A deleted row is an error for a fault, or a deleted object by policy`() throws {
        let library = try Library()
        try library.fill(authors: 1, books: 0)
        let (first, second) = (try library.context().context, try library.context().context)
        let id = try #require(try first.fetchIDs(FetchRequest<Author>()).first)
        let fault = try second.object(with: id, as: Author.self)
        first.delete(try first.object(with: id))
        try first.save()
        #expect(fault.name.isEmpty)
        #expect(throws: StoreError.self) { try second.fetch(FetchRequest<Author>()) }
        second.inaccessibleFaults = .deletedObject
        #expect(fault.born == 0 && fault.isDeleted)
        #expect(try second.fetch(FetchRequest<Author>()).isEmpty)
    }
}
