import Testing

@testable import ContextCore

struct AwakeningTests {
    private let store: CountryStore
    private let context: ObjectContext
    private let verse: Verse

    init() throws {
        store = try CountryStore()
        let writer = try store.context()
        _ = Verse(in: writer, text: "ABC")
        try writer.save()
        context = try store.context()
        context.isUndoEnabled = true
        verse = try #require(try context.first(FetchRequest<Verse>()))
    }

    @Test func `Changes in awakeFromFetch are not pending`() throws {
        #expect(verse.text == "abc" && verse.length == 3)
        #expect(!context.hasChanges && !verse.isUpdated && !context.canUndo)
        verse.number = 1
        #expect(verse.changedPropertyNames == ["number"])
        try context.save()
        #expect(verse.text == "abc" && !context.hasChanges)
        #expect(try store.context().count(FetchRequest<Verse>(where: FetchPredicate("text == 'ABC'"))) == 1)
    }

    @Test func `Pending changes take precedence over awakeFromFetch`() throws {
        verse.text = "Mine"
        try context.refresh(verse)
        #expect(verse.text == "Mine" && verse.isUpdated)
        verse.text = "ABC"
        #expect(!verse.isUpdated && verse.text == "ABC")
    }

    @Test func `A child's save is compared with the stored values`() throws {
        let child = context.makeChild()
        let copy = try child.object(with: verse.objectID, as: Verse.self)
        copy.text = "New"
        try child.saveToStore()
        #expect(verse.text == "New")
    }

    @Test func `An object restored after its saved deletion has its stored values`() throws {
        context.delete(verse)
        try context.save()
        context.undo()
        try context.save()
        #expect(try store.context().count(FetchRequest<Verse>(where: FetchPredicate("text == 'ABC'"))) == 1)
    }
}
