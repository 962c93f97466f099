import Testing

@testable import ContextCore

struct FaultingTests {
    @Test func `Five hundred siblings are fetched by one request`() throws {
        let library = try Library()
        try library.fill(authors: 500)
        let (context, parent) = try library.context()
        let books = try context.fetch(FetchRequest<Book>())
        #expect(parent.reads == 1)
        #expect(books.compactMap { $0.author?.name }.count == 500)
        #expect(parent.rowRequests == 1)
    }

    @Test func `Siblings are fetched in batches even if they are not referenced`() throws {
        let library = try Library()
        try library.fill(authors: 1200)
        let (context, parent) = try library.context()
        for book in try context.fetch(FetchRequest<Book>()) { _ = book.author?.name }
        #expect(parent.rowRequests == 3)
    }

    @Test func `A to-many relationship is loaded for its siblings too`() throws {
        let library = try Library()
        try library.fill(authors: 20, books: 2)
        let (context, parent) = try library.context()
        let authors = try context.fetch(FetchRequest<Author>())
        #expect(authors.allSatisfy { $0.books.count == 2 })
        #expect(parent.relatedRequests == 1 && parent.reads == 2)
    }

    @Test func `Prefetching follows paths several levels deep`() throws {
        let library = try Library()
        try library.fill(authors: 3, books: 2)
        let (context, parent) = try library.context()
        let request = FetchRequest<Author>(prefetching: ["books.topics", "books.rack"])
        let authors = try context.fetch(request)
        let reads = parent.reads
        for book in authors.flatMap(\.books) {
            #expect(book.topics.isEmpty && book.rack == nil && book.pages == 100)
        }
        #expect(parent.reads == reads)
    }

    @Test func `Forbidden faults name entity and relationship`() throws {
        let library = try Library()
        try library.fill(authors: 1)
        let (context, parent) = try library.context()
        let author = try #require(try context.first(FetchRequest<Author>()))
        context.faulting = .forbid
        #expect(author.books.isEmpty)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .faultForbidden)
        #expect(error?.message.contains("Author.books") == true)
        #expect(parent.relatedRequests == 0)
        context.faulting = .automatic
        #expect(author.books.count == 1)
    }

    @Test func `Warned faults are fetched`() throws {
        let library = try Library()
        try library.fill(authors: 1)
        let context = try library.context().context
        var warnings: [String] = []
        context.faulting = .warn
        context.onFaultWarning { warnings.append($0) }
        let author = try #require(try context.first(FetchRequest<Author>()))
        #expect(author.books.count == 1)
        #expect(warnings.count == 1 && warnings[0].contains("Author.books"))
    }

    @Test func `Prefetched relationships don't outlive a save`() throws {
        let library = try Library()
        try library.fill(authors: 2)
        let context = try library.context().context
        let authors = try context.fetch(FetchRequest<Author>(order: [SortKey("born")]))
        #expect(authors[0].books.count == 1)
        _ = Book(in: context, title: "new", author: authors[1])
        try context.save()
        #expect(authors[1].books.count == 2)
        let books = try context.fetch(FetchRequest<Book>())
        try #require(books[0].author).born = 40
        try context.save()
        #expect(try context.fetch(FetchRequest<Book>()).compactMap { $0.author?.born }.contains(40))
    }

    @Test func `Refreshing shows others' saves, and keeps pending changes`() throws {
        let library = try Library()
        try library.fill(authors: 2)
        let (mine, theirs) = (try library.context().context, try library.context().context)
        let authors = try mine.fetch(FetchRequest<Author>(order: [SortKey("born")]))
        let book = try #require(authors[0].books.first)
        #expect(authors[1].books.count == 1)
        book.pages = 7
        let theirBook = try #require(try theirs.existingObject(with: book.objectID) as? Book)
        theirBook.author = try theirs.object(with: authors[1].objectID, as: Author.self)
        try theirs.save()
        try mine.refresh(book)
        #expect(book.pages == 7 && book.author === authors[1])
        #expect(authors[0].books.isEmpty && authors[1].books.count == 2)
        try mine.save()
        mine.refault(book)
        #expect(book.isFault && book.pages == 7 && !book.isFault)
    }

    @Test func `A warning names the relationship, the fetch and the block`() async throws {
        let store = try Store.inMemory([
            Author.self, Rack.self, Book.self, Topic.self, Loan.self, Reader.self,
        ])
        try await store.write("fill") { context in
            _ = Book(in: context, title: "one", author: Author(in: context, name: "Ann"))
        }
        let block = #line + 1
        let warnings = try await store.read("warned") { context in
            let warnings = Warnings()
            context.faulting = .warn
            context.onFaultWarning { warnings.texts.append($0) }
            let book = try context.first(Book.self)
            _ = book?.author?.name
            _ = book?.topics.count
            return warnings.texts
        }
        let file = "ContextCoreTests/FaultingTests.swift"
        try #require(warnings.count == 2)
        #expect(warnings[0].contains("Author, through Book.author,") && warnings[1].contains("Book.topics"))
        for warning in warnings {
            #expect(
                warning.contains("block at \(file):\(block)")
                    && warning.contains("fetched at \(file):\(block + 4)"))
        }
    }

    private final class Warnings {
        var texts: [String] = []
    }
}
