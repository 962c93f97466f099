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
    }
}
