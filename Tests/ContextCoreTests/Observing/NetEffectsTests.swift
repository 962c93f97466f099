import Testing

@testable import ContextCore

struct NetEffectsTests {
    private let id: ObjectID

    init() throws {
        let context = try Library().context().context
        id = Author(in: context, name: "a").objectID
    }

    @Test func `An object that was deleted and reinserted has changed`() throws {
        var effects = NetEffects()
        effects.record(.delete, id)
        effects.record(.insert, id)
        #expect(effects.objects(.update) == [id])
        #expect(effects.objects(.delete).isEmpty && effects.objects(.insert).isEmpty)
        effects.record(.update, id)
        #expect(effects.objects(.update) == [id])
        effects.record(.delete, id)
        #expect(effects.objects(.delete) == [id])
    }

    @Test func `An incomplete change lists no objects`() throws {
        var effects = NetEffects()
        effects.record(.insert, id)
        let token = StoreToken(storeID: id.storeID, sequence: 2)
        let whole = StoreChange(token: token, contextName: "a", author: "b", effects: effects)
        for change in [
            whole.followed(by: whole.withoutObjectList), whole.withoutObjectList.followed(by: whole),
        ] {
            #expect(!change.isComplete && change.count == 0 && change.author == "b")
        }
        #expect(whole.followed(by: whole).inserted == [id])
    }

    @Test func `A save without effect in the store is not reported`() async throws {
        let store = try Store.inMemory([
            Author.self, Rack.self, Book.self, Topic.self, Loan.self, Reader.self,
        ])
        var changes = store.changes.makeAsyncIterator()
        let editor = store.makeBackgroundContext()
        let id = try await editor.perform { context in
            let book = Book(in: context, title: "new")
            try context.save()
            book.isOpen = true
            try context.save()
            book.pages = 7
            try context.save()
            return book.objectID
        }
        #expect(await changes.next()?.inserted == [id])
        #expect(await changes.next()?.updated == [id])
    }
}
