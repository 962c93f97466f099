import Observation
import Testing

@testable import ContextCore

struct ChangeTrackingTests {
    @Test func `Setting a property to its value is no change`() throws {
        let library = try Library()
        try library.fill(authors: 1)
        let context = try library.context().context
        let author = try #require(try context.first(FetchRequest<Author>()))
        author.born = 5
        #expect(author.isUpdated && context.updatedObjects == [author])
        #expect(author.changedValues == ["born": .int(5)])
        #expect(author.committedValues(["born"]) == ["born": .int(0)])
        author.born = 0
        #expect(!author.hasChanges && !context.hasChanges)
        author.books = author.books
        #expect(!context.hasChanges)
    }

    @Test func `Restoring a relationship is no change at either end`() throws {
        let library = try Library()
        try library.fill(authors: 2)
        let context = try library.context().context
        let authors = try context.fetch(FetchRequest<Author>(order: [SortKey("born")]))
        let book = try #require(authors[0].books.first)
        book.author = authors[1]
        #expect(context.updatedObjects == [book, authors[0], authors[1]])
        #expect(authors[0].books.isEmpty && authors[1].books.count == 2)
        book.author = authors[0]
        #expect(!context.hasChanges)
    }

    @Test func `Both ends of a one-to-many relationship agree at once`() throws {
        let context = try Library().context().context
        let author = Author(in: context, name: "Ann")
        let other = Author(in: context, name: "Bob")
        let book = Book(in: context, title: "Go", author: author)
        #expect(author.books == [book])
        other.books.insert(book)
        #expect(book.author === other && author.books.isEmpty)
        other.books.remove(book)
        #expect(book.author == nil)
    }

    @Test func `Both ends of a many-to-many relationship agree at once, before and after a save`() throws {
        let library = try Library()
        let context = try library.context().context
        let book = Book(in: context, title: "Go")
        let topic = Topic(in: context, name: "games")
        topic.books.insert(book)
        #expect(book.topics == [topic])
        try context.save()
        let fresh = try library.context().context
        let stored = try #require(try fresh.first(FetchRequest<Topic>()))
        #expect(stored.books.map(\.title) == ["Go"])
        stored.books = []
        try fresh.save()
        try context.refreshAll()
        #expect(book.topics.isEmpty)
    }

    @Test func `An ordered relationship keeps its order through insert, move and remove`() throws {
        let library = try Library()
        let context = try library.context().context
        let rack = Rack(in: context)
        let books = (0..<4).map { Book(in: context, title: "\($0)") }
        rack.books = books
        try context.save()
        rack.books.remove(at: 1)
        rack.books.insert(books[3], at: 0)
        rack.books = [books[3], books[0], Book(in: context, title: "new"), books[2]]
        try context.save()
        let fresh = try library.context().context
        let titles = try #require(try fresh.first(FetchRequest<Rack>())).books.map(\.title)
        #expect(titles == ["3", "0", "new", "2"])
    }

    @Test func `Restoring an order is no change`() throws {
        let library = try Library()
        let context = try library.context().context
        let rack = Rack(in: context)
        rack.books = (0..<3).map { Book(in: context, title: "\($0)") }
        try context.save()
        let order = rack.books
        rack.books = order.reversed()
        #expect(rack.isUpdated)
        rack.books = order
        #expect(!context.hasChanges)
    }

    @Test func `Access by name checks names and types`() throws {
        let context = try Library().context().context
        let book = try context.insert("Book")
        try book.set("title", to: "Go")
        #expect(try book["title"] == .string("Go"))
        #expect(throws: StoreError.self) { try book["colour"] }
        #expect(throws: StoreError.self) { try book.set("pages", to: "many") }
        #expect(throws: StoreError.self) { try book.set("author", to: try context.insert("Topic")) }
        #expect(throws: StoreError.self) { try context.insert("Shoe") }
    }

    @Test func `An observed context reports changes`() throws {
        let context = try Library().context().context
        context.isObserved = true
        let author = Author(in: context, name: "Ann")
        let changes = Guarded(0)
        withObservationTracking {
            _ = author.name
        } onChange: {
            changes.withLock { $0 += 1 }
        }
        author.born = 1
        #expect(changes.withLock(\.self) == 0)
        author.name = "Bea"
        #expect(changes.withLock(\.self) == 1)
    }

    @Test func `The observation of an object ends with it`() throws {
        let library = try Library()
        try library.fill(authors: 3)
        let context = try library.context().context
        context.isObserved = true
        for author in try context.fetch(FetchRequest<Author>()) { _ = author.name }
        #expect(context.graph.registrars.isEmpty)
        #expect(context.registeredObjects.isEmpty)
    }

    @Test func `An object of another context set into a relationship traps`() async {
        await #expect(processExitsWith: .failure) {
            let library = try Library()
            let book = Book(in: try library.context().context, title: "Go")
            book.author = Author(in: try library.context().context, name: "Ann")
        }
    }
}
