import Testing

@testable import ContextCore

struct ChangeMergingTests {
    @Test func `What others saved comes to the registered objects, and pending changes stay`() throws {
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
        effects.note(.insert, new.objectID)
        effects.note(.update, theirAuthor.objectID)
        effects.note(.delete, lost.objectID)
        let token = StoreToken(storeID: new.objectID.storeID, sequence: 2)
        try mine.merge(StoreChange(token: token, contextName: nil, author: nil, effects: effects))
        #expect(authors[0].name == "renamed" && authors[0].born == 9 && authors[0].isUpdated)
        #expect(authors[0].books.count == 2 && authors[1].books.isEmpty && lost.isDeleted)
        try mine.save()
    }
}
