import Testing

@testable import ContextCore

/// Loading by the library itself isn't reported as a forbidden fault.
struct ForbiddenFaultTests {
    private let library: Library
    private let context: ObjectContext

    init() throws {
        library = try Library()
        try library.fill(authors: 2, books: 2)
        let writer = try library.context().context
        let book = try #require(try writer.first(FetchRequest<Book>()))
        book.rack = Rack(in: writer)
        _ = Loan(in: writer, book: book, reader: Reader(in: writer, name: "Ann"))
        try writer.save()
        context = try library.context().context
    }

    @Test func `A save may load the list that it inserts into`() throws {
        let rack = try #require(try context.first(FetchRequest<Rack>()))
        context.faulting = .forbid
        _ = Book(in: context, title: "new", rack: rack)
        try context.save()
        context.faulting = .automatic
        #expect(rack.books.count == 2)
    }

    @Test func `Deny rules may load relationships`() throws {
        let reader = try #require(try context.first(FetchRequest<Reader>()))
        context.faulting = .forbid
        context.delete(reader)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .validation)
    }

    @Test func `Delete rules may load relationships`() throws {
        let loan = try #require(try context.first(FetchRequest<Loan>()))
        let book = try #require(loan.book)
        context.faulting = .forbid
        context.delete(book)
        try context.save()
        #expect(loan.isDeleted)
    }

    @Test func `A fetch may load relationships with pending changes`() throws {
        let book = try #require(try context.first(FetchRequest<Book>()))
        context.faulting = .forbid
        book.pages = 7
        let request = FetchRequest<Book>(where: try FetchPredicate("pages > 1 AND author.name = 'author 1'"))
        #expect(try context.fetch(request).count == 2)
    }

    @Test func `Prefetched relationships reach objects that were fetched before`() throws {
        let authors = try context.fetch(FetchRequest<Author>())
        context.faulting = .forbid
        _ = try context.fetch(FetchRequest<Author>(prefetching: ["books"]))
        #expect(authors.allSatisfy { $0.books.count == 2 })
        _ = try context.fetch(FetchRequest<Author>())
        try context.save()
    }
}
