import Testing

@testable import ContextCore

struct ChangeMergingTests {
    @Test func `Others' saves update registered objects, and pending changes stay`() throws {
        let library = try Library()
        try library.fill(authors: 2)
        let (mine, theirs) = (try library.context().context, try library.context().context)
        let authors = try mine.fetch(FetchRequest<Author>(order: [SortKey("born")]))
        let lost = try #require(authors[1].books.first)
        #expect(authors[0].books.count == 1)
        authors[0].born = 9
        let theirAuthor = try theirs.object(with: authors[0].objectID, as: Author.self)
        theirAuthor.name = "renamed"
        let new = Book(in: theirs, title: "new", author: theirAuthor)
        theirs.delete(try theirs.object(with: lost.objectID))
        try theirs.save()
        var effects = NetEffects()
        effects.record(.insert, new.objectID)
        effects.record(.update, theirAuthor.objectID)
        effects.record(.delete, lost.objectID)
        let token = StoreToken(storeID: new.objectID.storeID, sequence: 2)
        try mine.merge(StoreChange(token: token, contextName: nil, author: nil, effects: effects))
        #expect(authors[0].name == "renamed" && authors[0].born == 9 && authors[0].isUpdated)
        #expect(authors[0].books.count == 2 && authors[1].books.isEmpty && lost.isDeleted)
        try mine.save()
    }

    @Test func `A new object that was fetched before it is merged is updated`() throws {
        let library = try Library()
        let (mine, theirs) = (try library.context().context, try library.context().context)
        let theirAuthor = Author(in: theirs, name: "new")
        try theirs.save()
        let author = try #require(try mine.first(FetchRequest<Author>()))
        theirAuthor.born = 7
        try theirs.save()
        try mine.merge(insertion(of: theirAuthor))
        #expect(author.born == 7)
    }

    @Test func `Notifying proxies of a merge takes no request to the store`() throws {
        let library = try Library()
        let (mine, parent) = try library.context()
        let theirs = try library.context().context
        let broadcaster = ChangeBroadcaster()
        let mailbox = broadcaster.listen()
        let feed = GraphFeed(mine.graph, broadcaster)
        let author = Author(in: theirs, name: "new")
        try theirs.save()
        try mine.merge(insertion(of: author))
        #expect(parent.reads == 0)
        #expect(mailbox.removeAll().map(\.inserted) == [[author.objectID]])
        withExtendedLifetime(feed) {}
    }

    private func insertion(of object: ManagedObject) -> StoreChange {
        var effects = NetEffects()
        effects.record(.insert, object.objectID)
        let token = StoreToken(storeID: object.objectID.storeID, sequence: 2)
        return StoreChange(token: token, contextName: nil, author: nil, effects: effects)
    }
}
