import Testing

@testable import ContextCore

struct CustomRuleTests {
    /// Changes an author's year of birth in two contexts, and saves the second one.
    private func contested() throws -> (library: Library, mine: ObjectContext, author: Author) {
        let library = try Library()
        try library.fill(authors: 1)
        let (mine, theirs) = (try library.context().context, try library.context().context)
        let author = try #require(try mine.first(FetchRequest<Author>()))
        author.born = 1
        try theirs.object(with: author.objectID, as: Author.self).born = 2
        try theirs.save()
        return (library, mine, author)
    }

    @Test(arguments: [StoredValue.double(1), .null, .string("x")])
    func `The result of a conflict rule is validated`(_ decided: StoredValue) throws {
        let (library, mine, author) = try contested()
        mine.mergePolicy.setRule(.custom { _ in decided }, for: \Author.born)
        #expect { try mine.save() } throws: { ($0 as? StoreError)?.code == .validation }
        #expect(author.born == 1 && author.isUpdated)
        #expect(try library.context().context.first(FetchRequest<Author>())?.born == 2)
    }

    @Test(arguments: [(true, "theirs"), (false, "mine")])
    func `A conflict rule decides about a to-one relationship`(takesTheirs: Bool, title: String) throws {
        let library = try Library()
        let start = try library.context().context
        let book = Book(in: start, title: "Go")
        for name in ["mine", "theirs"] { _ = Author(in: start, name: name) }
        try start.save()
        let (mine, theirs) = (try library.context().context, try library.context().context)
        func move(_ context: ObjectContext, _ name: String) throws {
            try context.object(with: book.objectID, as: Book.self).author = try context.first(
                FetchRequest<Author>(where: FetchPredicate("name == %@", name)))
        }
        try move(mine, "mine")
        try move(theirs, "theirs")
        try theirs.save()
        mine.mergePolicy = MergePolicy(.custom { takesTheirs ? $0.theirs : $0.mine })
        try mine.save()
        let saved = try #require(try library.context().context.first(FetchRequest<Book>()))
        #expect(saved.author?.name == title)
        let here = try mine.object(with: book.objectID, as: Book.self)
        #expect(here.author?.name == title && here.author?.books == [here])
    }
}
