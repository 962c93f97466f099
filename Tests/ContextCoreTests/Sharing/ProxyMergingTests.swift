import Testing

@testable import ContextCore

/// The state of a proxy after requests whose results arrive after newer changes.
@MainActor @Suite(.timeLimit(.minutes(20))) struct ProxyMergingTests {
    private let store: Store

    init() throws {
        store = try Store.inMemory([Author.self, Rack.self, Book.self, Topic.self, Loan.self, Reader.self])
    }

    /// Returns the author with a number and his book, at a level.
    private nonisolated static func level(_ context: ObjectContext, _ number: Int, _ level: Int) throws {
        let author = try #require(try context.fetch(Author.self, where: \.name == "\(number)").first)
        author.born = level
        for book in author.books { book.pages = level }
    }

    private func fill() async throws {
        try await store.write("fill") { context in
            for number in 0..<2 {
                let author = Author(in: context, name: "\(number)")
                _ = Book(in: context, title: "book \(number)", pages: 0, author: author)
            }
        }
    }

    @Test func `Registered objects get the values of a result`() async throws {
        try await fill()
        let proxy = store.makeProxy()
        let request = try FetchRequest<Author>(order: [SortKey("name")], limit: 1, prefetching: ["books"])
        let author = try #require(try await proxy.fetch(request).first)
        let book = try #require(author.books.first)
        try await store.write("one") { try Self.level($0, 0, 1) }
        let answer = try await store.sharedContext.fetchRows(request)
        try await store.write("two") { try Self.level($0, 0, 2) }
        #expect(try proxy.context.adopt(answer, request) == [author])
        #expect(author.born == 1 && book.pages == 1 && author.books == [book])
        _ = try proxy.context.count(Author.self)
        _ = try await proxy.fetch(request)
        #expect(author.born == 2 && book.pages == 2)
    }

    @Test func `Objects outside of a result are updated when they are read`() async throws {
        try await fill()
        let proxy = store.makeProxy()
        let all = try await proxy.fetch(FetchRequest<Author>(order: [SortKey("name")]))
        let (first, second) = (all[0], all[1])
        let book = try #require(second.books.first)
        #expect(first.books.count == 1 && book.pages == 0)
        try await store.write("one") { context in
            try Self.level(context, 1, 5)
            let (first, second) = (
                try #require(try context.fetch(Author.self, where: \.name == "0").first),
                try #require(try context.fetch(Author.self, where: \.name == "1").first)
            )
            for book in first.books { book.author = second }
            _ = Book(in: context, title: "new", pages: 5, author: second)
        }
        let request = try FetchRequest<Author>(order: [SortKey("name")], limit: 1)
        #expect(try await proxy.fetch(request) == [first])
        #expect(book.isFault && second.isFault)
        #expect(first.books.isEmpty && second.born == 5)
        #expect(second.books.count == 3 && second.books.contains(book) && book.pages == 5)
    }

    @Test func `Only changed objects are reported as changed`() async throws {
        try await fill()
        let proxy = store.makeProxy()
        let request = try FetchRequest<Author>(order: [SortKey("name")], prefetching: ["books"])
        let authors = try await proxy.fetch(request)
        let books = try await proxy.fetch(FetchRequest<Book>())
        let list = try FetchedResultsController(Author.self, order: .ascending(\.name), in: proxy.context)
        var reported: [ResultsStep] = []
        list.onChange = { reported += $0.steps }
        _ = try await proxy.fetch(request)
        proxy.context.processPendingChanges()
        #expect(reported.isEmpty)
        try await store.write("one") { try Self.level($0, 0, 1) }
        _ = try await proxy.fetch(request)
        proxy.context.processPendingChanges()
        #expect(reported == [.update(authors[0].objectID, at: ResultsPosition(section: 0, row: 0))])
        #expect(books.map(\.pages).sorted() == [0, 1])
    }
}
