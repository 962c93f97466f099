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

    @Test func `A trace has the causes of cascades and of cleared references`() throws {
        let context = try Library().context().context
        let author = Author(in: context, name: "Ann")
        let (go, chess) = (Book(in: context, title: "Go"), Book(in: context, title: "Chess"))
        let topic = Topic(in: context, name: "games")
        (go.author, chess.author) = (author, author)
        go.topics = [topic]
        let loan = Loan(in: context, book: go)
        try context.save()
        context.delete(chess)
        #expect(context.deletionTrace.causes.isEmpty && context.deletionTrace.nullifications.isEmpty)
        context.rollback()
        context.tracesDeletions = true
        context.delete(go)
        context.delete(author)
        let trace = context.deletionTrace
        func cause(_ object: ManagedObject, _ name: String) throws -> DeletionTrace.Cause {
            let slot = try #require(object.entity.property(named: name)?.slot)
            return DeletionTrace.Cause(entityIndex: object.entityIndex, key: object.key, slot: slot)
        }
        let deleted = DeletionTrace.Address(rootIndex: loan.rootIndex, key: loan.key)
        #expect(trace.causes == [deleted: try cause(go, "loans")])
        // The list of the author's books is not stored, so only the link to the topic and the author of the other book were cleared.
        let cleared = trace.nullifications.map { [$0.entityIndex, Int($0.key), $0.slot] }
        let link = [topic.entityIndex, Int(topic.key), try cause(topic, "books").slot]
        let reference = [chess.entityIndex, Int(chess.key), try cause(chess, "author").slot]
        #expect(cleared == [link, reference])
        #expect(trace.nullifications.map(\.cause) == [try cause(go, "topics"), try cause(author, "books")])
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
