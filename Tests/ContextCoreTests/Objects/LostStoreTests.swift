import Testing

@testable import ContextCore

/// Properties that can't be loaded must not be changed as if they were empty.
struct LostStoreTests {
    private let library: Library
    private let context: ObjectContext
    private let parent: UnreliableParent

    init() throws {
        library = try Library()
        try library.fill(authors: 1, books: 2)
        (context, parent) = try library.unreliableContext()
    }

    private func failToSave() throws {
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .database)
        parent.isLost = false
        try context.save()
    }

    @Test func `A relationship that can't be loaded is not replaced`() throws {
        let author = try #require(try context.first(FetchRequest<Author>()))
        let new = Book(in: context, title: "new")
        parent.isLost = true
        author.books = [new]
        try failToSave()
        #expect(author.books.count == 2 && new.author == nil)
        author.books = [new]
        try context.save()
        #expect(try library.context().context.first(FetchRequest<Author>())?.books.count == 1)
    }

    @Test func `An ordered relationship that can't be loaded is not replaced`() throws {
        let rack = Rack(in: context)
        rack.books = try context.fetch(FetchRequest<Book>())
        try context.save()
        context.refault(rack)
        _ = rack.isFault
        try context.load(rack)
        parent.isLost = true
        rack.books = []
        try failToSave()
        #expect(rack.books.count == 2)
    }

    @Test func `An object whose delete rules can't be applied is not deleted`() throws {
        let book = try #require(try context.first(FetchRequest<Book>()))
        _ = Loan(in: context, book: book)
        try context.save()
        let fresh = try library.unreliableContext()
        let doomed = try fresh.context.existingObject(with: book.objectID)
        fresh.parent.isLost = true
        fresh.context.delete(doomed)
        #expect(!doomed.isDeleted)
        #expect(throws: StoreError.self) { try fresh.context.save() }
        fresh.parent.isLost = false
        fresh.context.delete(doomed)
        try fresh.context.save()
        #expect(try library.context().context.count(FetchRequest<Loan>()) == 0)
    }

    @Test func `An incomplete cascade deletes nothing`() throws {
        let store = try CountryStore()
        let writer = try store.context()
        let country = Country(in: writer, name: "a")
        let town = Town(in: writer, name: "b", country: country)
        _ = House(in: writer, town: town)
        try writer.save()
        let parent = try UnreliableParent(store.coordinator)
        let context = ObjectContext(model: store.coordinator.model, parent: parent)
        let doomed = try context.object(with: country.objectID, as: Country.self)
        #expect(doomed.towns.count == 1)
        parent.isLost = true
        context.delete(doomed)
        parent.isLost = false
        #expect(!doomed.isDeleted && !context.hasChanges)
    }

    @Test func `A save that can't reserve all identifiers returns them`() throws {
        let author = Author(in: context, name: "new")
        let rack = Rack(in: context)
        parent.reservationsLeft = 1
        #expect(throws: StoreError.self) { try context.save() }
        #expect(author.objectID.isTemporary && rack.objectID.isTemporary)
        parent.reservationsLeft = nil
        try context.save()
        #expect(!author.objectID.isTemporary && !rack.objectID.isTemporary)
    }

    @Test func `Others' saves are merged once the store can be read again`() throws {
        let inbox = ChangeMailbox()
        context.graph.inbox = inbox
        let author = try #require(try context.first(FetchRequest<Author>()))
        let other = try library.context().context
        let copy = try other.object(with: author.objectID, as: Author.self)
        copy.name = "new"
        try other.save()
        var effects = NetEffects()
        effects.record(.update, author.objectID)
        let token = StoreToken(storeID: library.coordinator.storeID, sequence: 1)
        inbox.post(StoreChange(token: token, contextName: nil, author: nil, effects: effects))
        parent.isLost = true
        #expect(throws: StoreError.self) { try context.mergeStoreChanges() }
        #expect(author.name != "new")
        parent.isLost = false
        try context.mergeStoreChanges()
        #expect(author.name == "new")
    }
}
