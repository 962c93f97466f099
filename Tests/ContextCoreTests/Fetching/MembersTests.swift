import Testing

@testable import ContextCore

struct MembersTests {
    /// Creates an author with the given number of books, numbered by their pages, and a topic and a rack with all of them.
    private func library(books: Int) throws -> Library {
        let library = try Library()
        let context = try library.context().context
        let author = Author(in: context, name: "Ann")
        let topic = Topic(in: context, name: "Go")
        let rack = Rack(in: context)
        for number in 0..<books {
            let book = Book(in: context, title: "book \(number)", pages: number, author: author)
            topic.books.insert(book)
            rack.books.append(book)
        }
        _ = Author(in: context, name: "Bo")
        try context.save()
        return library
    }

    private struct Shelf {
        let context: ObjectContext
        let parent: CountingParent
        let author: Author
        let topic: Topic
        let rack: Rack

        init(_ library: Library) throws {
            (context, parent) = try library.context()
            author = try #require(try context.first(Author.self, where: \.name == "Ann"))
            topic = try #require(try context.first(Topic.self))
            rack = try #require(try context.first(Rack.self))
        }

        func book(_ number: Int) throws -> Book {
            try #require(try context.first(Book.self, where: \.title == "book \(number)"))
        }
    }

    @Test func `Counting, membership tests and paging fetch only what is needed`() throws {
        let shelf = try Shelf(library(books: 300))
        let book = try shelf.book(7)
        let served = shelf.parent.rowsServed
        for count in try [
            shelf.author.members(\.books).count, shelf.topic.members(\.books).count,
            shelf.rack.members(\.books).count,
        ] { #expect(count == 300) }
        #expect(try shelf.author.members(\.books).count(where: \.pages < 10) == 10)
        #expect(try shelf.topic.members(\.books).count(where: \.pages < 10) == 10)
        #expect(try shelf.author.members(\.books).contains(book))
        #expect(try shelf.topic.members(\.books).contains(book))
        #expect(try shelf.rack.members(\.books).contains(book))
        #expect(shelf.parent.rowsServed == served)
        let page = try shelf.topic.members(\.books).page(offset: 5, limit: 10, order: .descending(\.pages))
        #expect(page.map(\.pages) == Array((285...294).reversed()))
        #expect(try shelf.rack.members(\.books).page(offset: 2, limit: 3).map(\.pages) == [2, 3, 4])
        #expect(shelf.parent.rowsServed == served + 13)
        #expect(!shelf.author.members(\.books).isLoaded)
    }

    @Test func `Adding to a large relationship fetches nothing, and is saved`() throws {
        let library = try library(books: 300)
        let shelf = try Shelf(library)
        let served = shelf.parent.rowsServed
        let book = Book(in: shelf.context, title: "new", pages: 1000)
        try shelf.author.members(\.books).insert(book)
        try shelf.topic.members(\.books).insert(book)
        try shelf.rack.members(\.books).insert(book)
        #expect(book.author === shelf.author && book.rack === shelf.rack && book.topics == [shelf.topic])
        #expect(try shelf.author.members(\.books).count == 301)
        #expect(try shelf.topic.members(\.books).count == 301)
        #expect(try shelf.rack.members(\.books).count == 301)
        try shelf.context.save()
        #expect(shelf.parent.rowsServed == served)
        let again = try Shelf(library)
        #expect(again.rack.books.map(\.pages) == Array(0..<300) + [1000])
        #expect(again.topic.books.count == 301 && again.author.books.count == 301)
    }

    @Test func `Pending changes count`() throws {
        let shelf = try Shelf(library(books: 20))
        let (first, second, third) = (try shelf.book(1), try shelf.book(2), try shelf.book(3))
        first.pages = 100
        shelf.context.delete(second)
        try shelf.author.members(\.books).remove(third)
        try shelf.topic.members(\.books).remove(third)
        try shelf.rack.members(\.books).remove(third)
        let new = Book(in: shelf.context, title: "new", pages: 50, author: shelf.author)
        try shelf.topic.members(\.books).insert(new)
        try shelf.rack.members(\.books).insert(new)
        let expected = [100, 50] + (4..<20).reversed() + [0]
        let order = TypedSortKey<Book>.descending(\.pages)
        #expect(try shelf.author.members(\.books).fetch(order: order).map(\.pages) == expected)
        #expect(try shelf.topic.members(\.books).fetch(order: order).map(\.pages) == expected)
        #expect(try shelf.rack.members(\.books).fetch(order: order).map(\.pages) == expected)
        #expect(try shelf.rack.members(\.books).fetch().map(\.pages) == [0, 100] + Array(4..<20) + [50])
        for offset in 0..<expected.count {
            let wanted = Array(expected.dropFirst(offset).prefix(3))
            let page = try shelf.topic.members(\.books).page(offset: offset, limit: 3, order: order)
            #expect(page.map(\.pages) == wanted)
            #expect(
                try shelf.author.members(\.books).page(offset: offset, limit: 3, order: order).map(\.pages)
                    == wanted)
        }
        #expect(try shelf.topic.members(\.books).count(where: \.pages >= 50) == 2)
        #expect(
            try !shelf.topic.members(\.books).contains(third)
                && !shelf.author.members(\.books).contains(second))
        #expect(!shelf.author.members(\.books).isLoaded && !shelf.topic.members(\.books).isLoaded)
        #expect(Set(shelf.topic.books.map(\.pages)) == Set(expected))
        #expect(shelf.rack.books.map(\.pages) == [0, 100] + Array(4..<20) + [50])
    }

    @Test func `Adding an existing member changes nothing`() throws {
        let shelf = try Shelf(library(books: 3))
        let book = try shelf.book(1)
        try shelf.author.members(\.books).insert(book)
        try shelf.topic.members(\.books).insert(book)
        try shelf.rack.members(\.books).insert(book)
        #expect(!shelf.context.hasChanges)
    }

    @Test func `A condition on objects with pending changes loads the members`() throws {
        let shelf = try Shelf(library(books: 3))
        shelf.author.name = "Anna"
        #expect(try shelf.topic.members(\.books).count(where: \.author?.name == "Anna") == 3)
        #expect(try shelf.topic.members(\.books).fetch(where: \.author?.name == "Ann").isEmpty)
    }

    @Test func `New objects have members, and deleted ones have none`() throws {
        let context = try Library().context().context
        let topic = Topic(in: context, name: "new")
        let members = try topic.members(named: "books")
        #expect(try members.isEmpty && members.isLoaded)
        try members.insert(Book(in: context, title: "one"))
        #expect(try members.count == 1 && topic.books.count == 1)
        #expect(throws: StoreError.self) { try topic.members(named: "name") }
        context.rollback()
        #expect(try members.isEmpty)
    }

    @Test func `A child counts through its parent, with the parent's changes`() throws {
        let library = try library(books: 50)
        let shelf = try Shelf(library)
        let extra = Book(in: shelf.context, title: "extra", pages: 500, author: shelf.author)
        shelf.context.delete(try shelf.book(5))
        try shelf.topic.members(\.books).insert(extra)
        try shelf.rack.members(\.books).insert(extra)
        try shelf.context.obtainPermanentIDs(for: [extra])
        let served = shelf.parent.rowsServed
        let child = shelf.context.makeChild()
        let author = try child.object(with: shelf.author.objectID, as: Author.self)
        let topic = try child.object(with: shelf.topic.objectID, as: Topic.self)
        let rack = try child.object(with: shelf.rack.objectID, as: Rack.self)
        let own = Book(in: child, title: "own", pages: 600, author: author)
        try topic.members(\.books).insert(own)
        try rack.members(\.books).insert(own)
        #expect(try author.members(\.books).count == 51)
        #expect(try topic.members(\.books).count == 51)
        #expect(try rack.members(\.books).count == 51)
        #expect(
            try topic.members(\.books).page(limit: 3, order: .descending(\.pages)).map(\.pages) == [
                600, 500, 49,
            ])
        #expect(shelf.parent.rowsServed <= served + 10)
        try child.saveToStore()
        let again = try Shelf(library)
        #expect(again.rack.books.suffix(2).map(\.pages) == [500, 600])
        #expect(try again.topic.members(\.books).count == 51 && again.author.books.count == 51)
    }
}
