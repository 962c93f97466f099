import Testing

@testable import ContextCore

/// Merging of changes that other contexts have saved, which must not hide conflicts.
struct MergingOthersTests {
    private let library: Library
    private let mine: ObjectContext
    private let theirs: ObjectContext

    init() throws {
        library = try Library()
        try library.fill(authors: 2)
        (mine, theirs) = (try library.context().context, try library.context().context)
    }

    private func merge(updated: [ManagedObject] = [], deleted: [ManagedObject] = []) throws {
        var effects = NetEffects()
        for object in updated { effects.record(.update, object.objectID) }
        for object in deleted { effects.record(.delete, object.objectID) }
        let token = StoreToken(storeID: library.coordinator.storeID, sequence: 2)
        try mine.merge(StoreChange(token: token, contextName: nil, author: nil, effects: effects))
    }

    private func authors() throws -> [Author] {
        try mine.fetch(FetchRequest<Author>(order: [SortKey("born")]))
    }

    /// Moves the book of the first author to the second one in another context.
    private func move(_ authors: [Author]) throws -> Book {
        let from = try theirs.object(with: authors[0].objectID, as: Author.self)
        let book = try #require(from.books.first)
        book.author = try theirs.object(with: authors[1].objectID, as: Author.self)
        try theirs.save()
        return book
    }

    @Test func `A member without an object moves in`() throws {
        let authors = try authors()
        #expect(authors[1].books.count == 1)
        let moved = try move(authors)
        try merge(updated: [moved])
        #expect(authors[1].books.count == 2 && authors[0].books.isEmpty)
    }

    @Test func `A member that is a fault moves from list to list`() throws {
        let authors = try authors()
        let book = try #require(authors[0].books.first)
        #expect(authors[1].books.count == 1)
        mine.refault(book)
        let moved = try move(authors)
        try merge(updated: [moved])
        #expect(authors[0].books.isEmpty && authors[1].books.count == 2 && book.author === authors[1])
    }

    @Test func `A changed many-to-many relationship includes others' additions`() throws {
        let book = try #require(try mine.first(FetchRequest<Book>()))
        book.topics = [Topic(in: mine, name: "first")]
        try mine.save()
        let pending = Topic(in: mine, name: "mine")
        book.topics.insert(pending)
        let theirBook = try theirs.object(with: book.objectID, as: Book.self)
        theirBook.topics.insert(Topic(in: theirs, name: "theirs"))
        try theirs.save()
        try merge(updated: [theirBook])
        #expect(Set(book.topics.map(\.name)) == ["first", "mine", "theirs"])
        #expect(pending.books == [book])
        try mine.save()
        #expect(try library.context().context.object(with: book.objectID, as: Book.self).topics.count == 3)
    }

    @Test func `A conflict is still a conflict after merging`() throws {
        let author = try authors()[0]
        author.name = "mine"
        let theirAuthor = try theirs.object(with: author.objectID, as: Author.self)
        theirAuthor.name = "theirs"
        try theirs.save()
        try merge(updated: [theirAuthor])
        let error = #expect(throws: StoreError.self) { try mine.save() }
        let property = error?.conflicts.first?.properties.first
        #expect(property?.base == .string("author 0") && property?.theirs == .string("theirs"))
        mine.mergePolicy = .objectWins
        try mine.save()
        #expect(author.name == "mine")
    }

    @Test func `A conflict stays if only the fact of a change is known`() throws {
        let authors = try authors()
        (authors[0].name, authors[1].born) = ("mine", 50)
        let theirAuthor = try theirs.object(with: authors[0].objectID, as: Author.self)
        theirAuthor.name = "theirs"
        try theirs.save()
        let token = StoreToken(storeID: library.coordinator.storeID, sequence: 2)
        try mine.merge(
            StoreChange(
                token: token, contextName: nil, author: nil, effects: NetEffects(), isComplete: false))
        let error = #expect(throws: StoreError.self) { try mine.save() }
        #expect(error?.conflicts.map(\.objectID) == [authors[0].objectID])
    }

    @Test func `Deleting an object that others changed is still a conflict after merging`() throws {
        let author = try authors()[0]
        mine.delete(author)
        let theirAuthor = try theirs.object(with: author.objectID, as: Author.self)
        theirAuthor.name = "theirs"
        try theirs.save()
        try merge(updated: [theirAuthor])
        let error = #expect(throws: StoreError.self) { try mine.save() }
        #expect(error?.code == .conflict)
    }

    @Test func `The same change on both sides is no conflict`() throws {
        let author = try authors()[0]
        author.name = "same"
        let theirAuthor = try theirs.object(with: author.objectID, as: Author.self)
        theirAuthor.name = "same"
        try theirs.save()
        try merge(updated: [theirAuthor])
        #expect(!author.isUpdated)
        try mine.save()
    }

    // MARK: Undo

    @Test func `Undoing an insertion that others have deleted leaves nothing to save`() throws {
        mine.isUndoEnabled = true
        let author = Author(in: mine, name: "new")
        try mine.save()
        let theirAuthor = try theirs.object(with: author.objectID)
        theirs.delete(theirAuthor)
        try theirs.save()
        try merge(deleted: [theirAuthor])
        mine.undo()
        try mine.save()
        #expect(author.isDeleted && !mine.hasChanges)
        mine.redo()
        try mine.save()
    }

    @Test func `A restored object is the only one with its identifier`() throws {
        mine.isUndoEnabled = true
        let author = try authors()[0]
        mine.delete(author)
        try mine.save()
        let fault = try mine.object(with: author.objectID)
        mine.undo()
        #expect(try mine.object(with: author.objectID) === author)
        try mine.save()
        #expect(fault.isDeleted && !author.isDeleted)
    }

    @Test func `Undo finds the object that others have saved again`() throws {
        mine.isUndoEnabled = true
        let author = try authors()[0]
        let rack = Rack(in: mine)
        let book = Book(in: mine, title: "one", rack: rack)
        try mine.save()
        let theirBook = try theirs.object(with: book.objectID, as: Book.self)
        theirBook.pages = 7
        book.author = author
        mine.delete(book)
        try mine.save()
        theirs.mergePolicy = .objectWins
        try theirs.save()
        let present = try #require(try mine.fetch(FetchRequest<Book>()).first { $0.title == "one" })
        #expect(present !== book && present.pages == 7)
        mine.undo()
        #expect(try mine.object(with: book.objectID) === present && book.isDeleted)
        try mine.save()
        #expect(try mine.fetch(FetchRequest<Book>()).filter { $0.title == "one" } == [present])
        #expect(rack.books == [present])
    }

    @Test func `A reinserted object keeps unloaded additions`() throws {
        let author = try authors()[0]
        let theirAuthor = try theirs.object(with: author.objectID)
        theirs.delete(theirAuthor)
        try theirs.save()
        author.born = 5
        let book = Book(in: mine, title: "mine", author: author)
        mine.mergePolicy = .objectWins
        try mine.save()
        #expect(author.books == [book])
    }
}
