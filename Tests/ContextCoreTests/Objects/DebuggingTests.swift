import Testing

@testable import ContextCore

/// The debug descriptions of objects and their snapshots.
struct DebuggingTests {
    private let library: Library

    init() throws {
        library = try Library()
        try library.fill(authors: 1)
    }

    @Test func `The description of an object shows its state, and no values`() throws {
        let context = try library.context().context
        let author = try #require(try context.first(FetchRequest<Author>()))
        #expect("\(author)" == "Author/1 (unchanged)")
        (author.born, author.name) = (1900, "Secret")
        #expect("\(author)" == "Author/1 (updated: born, name)")
        context.rollback()
        context.delete(author)
        #expect("\(author)" == "Author/1 (deleted)")
        try context.save()
        #expect("\(author)" == "Author/1 (not part of a context)")
        #expect("\(Author(in: context, name: "Ann"))".hasSuffix(" (inserted)"))
    }

    @Test func `Printing a fault doesn't fire it`() throws {
        let (context, parent) = try library.context()
        let fault = try context.object(with: try context.fetchIDs(Author.self)[0])
        let reads = parent.reads
        #expect("\(fault)" == "Author/1 (fault)" && fault.isFault && parent.reads == reads)
    }

    @Test func `A snapshot shows its values by name`() throws {
        let context = try library.context().context
        let book = try #require(try context.first(FetchRequest<Book>(order: [.ascending(\.title)])))
        let text = "Book/1 (author: Author/1, isOpen: false, pages: 100, title: \"book 0 0\")"
        #expect("\(book.snapshot())" == text)
        let byName: ObjectSnapshot = book.snapshot()
        #expect("\(byName)" == text)
    }
}
