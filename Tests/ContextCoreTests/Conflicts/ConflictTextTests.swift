import Testing

@testable import ContextCore

/// The texts and remedies of conflicts.
struct ConflictTextTests {
    private let library: Library
    private let mine: ObjectContext
    private let theirs: ObjectContext

    init() throws {
        library = try Library()
        try library.fill(authors: 1)
        (mine, theirs) = (try library.context().context, try library.context().context)
    }

    @Test
    func `A conflict names the properties that the other save changed, and not those changed only here`()
        throws
    {
        let author = try #require(try mine.first(FetchRequest<Author>()))
        author.name = "mine"
        author.born = 1
        try theirs.object(with: author.objectID, as: Author.self).born = 2
        try theirs.save()
        let error = #expect(throws: StoreError.self) { try mine.save() }
        let conflict = try #require(error?.conflicts.first)
        #expect(conflict.description == "\(author.objectID) was changed by another save (born).")
        #expect(Set(conflict.properties.map(\.name)) == ["name", "born"])
        #expect(error?.remedy == "Refresh the objects and save again, or set the context's mergePolicy.")
    }

    @Test func `The remedy for a conflict with a deletion is to delete the object here too`() throws {
        let author = try #require(try mine.first(FetchRequest<Author>()))
        author.born = 1
        theirs.delete(try theirs.object(with: author.objectID))
        try theirs.save()
        let error = #expect(throws: StoreError.self) { try mine.save() }
        #expect(error?.conflicts.map(\.kind) == [.deleted])
        #expect(error?.remedy?.contains("Delete the objects here too") == true)
        #expect(error?.remedy?.contains("Refresh") == false)
        mine.delete(author)
        try mine.save()
        #expect(try theirs.count(FetchRequest<Author>()) == 0)
    }
}
