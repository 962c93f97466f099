import Testing

@testable import ContextCore

struct TypedFormTests {
    private func books(_ predicate: TypedPredicate<Book>) -> String { predicate.description }
    private func authors(_ predicate: TypedPredicate<Author>) -> String { predicate.description }

    private func library() throws -> (ObjectContext, [Author]) {
        let context = try Library().context().context
        let authors = (0..<4).map { Author(in: context, name: "Author \($0)", born: $0) }
        for author in authors {
            for number in 0..<author.born {
                _ = Book(in: context, title: "Title \(number)", pages: number, author: author)
            }
        }
        try context.save()
        return (context, authors)
    }

    @Test func `Relationships and objects are compared with identifiers`() throws {
        let (context, authors) = try library()
        let id = authors[2].objectID
        #expect(try context.count(Book.self, where: \.author == id) == 2)
        #expect(try context.count(Book.self, where: \.author != id) == 4)
        #expect(try context.count(Book.self, where: \.author?.objectID == id && \.pages > 0) == 1)
        #expect(try context.fetch(Author.self, where: \.objectID == id) == [authors[2]])
        #expect(try context.count(Author.self, where: \.objectID != id) == 3)
        #expect(try context.count(Author.self, where: \.self == authors[1]) == 1)
        #expect(try context.fetch(Author.self, where: \.objectID > id) == [authors[3]])
        #expect(try context.count(Author.self, where: \.objectID < id && \.born > 0) == 1)
        #expect(
            try context.count(Author.self, where: (\Author.objectID).isIn(authors.prefix(3).map(\.objectID)))
                == 3)
        #expect(try context.count(Book.self, where: (\Book.author).isIn([id, authors[3].objectID])) == 5)
    }

    @Test func `A relationship or the object itself is one of several objects`() throws {
        let (context, authors) = try library()
        let (last, ids) = ([authors[2], authors[3]], [authors[2].objectID, authors[3].objectID])
        let predicates: [TypedPredicate<Book>] = [
            last ~= \.author, .isIn(\.author, last), .isIn(\.author, ids), (\Book.author).isIn(last),
        ]
        for predicate in predicates {
            #expect(books(predicate) == books((\Book.author).isIn(ids)))
            #expect(try context.count(Book.self, where: predicate) == 5)
        }
        #expect(try context.fetch(Author.self, where: [authors[1]] ~= \.self) == [authors[1]])
        #expect(try context.count(Author.self, where: .isIn(\.self, Set(last)) && \.born > 2) == 1)
        #expect(try context.count(Book.self, where: (\Book.author).isIn([])) == 0)
        #expect(try context.count(Book.self, where: !(.isIn(\.author, last))) == 1)
    }

    @Test func `Two properties are compared`() throws {
        let (context, _) = try library()
        #expect(try context.count(Book.self, where: \.pages > \.pages) == 0)
        #expect(try context.count(Book.self, where: \.pages <= \.pages && \.title != \.title) == 0)
        #expect(try context.count(Book.self, where: \.pages == \.pages) == 6)
        #expect(try context.count(Book.self, where: \.pages >= \.pages && \.pages < 1) == 3)
    }

    @Test func `Collections are counted with a condition`() throws {
        let (context, authors) = try library()
        let found = try context.fetch(Author.self, where: (\Author.books).count(where: \.pages > 0) == 2)
        #expect(found == [authors[3]])
        let any = try context.fetch(Author.self, where: .any(\.books, \.pages > 1) && \.born > 0)
        #expect(any == [authors[3]])
        #expect(try context.count(Author.self, where: .none(\.books, \.pages >= 0)) == 1)
        #expect(try context.count(Author.self, where: .all(\.books, \.pages < 2)) == 3)
    }

    @Test func `Strings have conditions and functions if the class is known`() throws {
        let (context, _) = try library()
        #expect(try context.count(Book.self, where: .contains(\.title, "TLE 1", .caseInsensitive)) == 2)
        #expect(
            try context.count(Book.self, where: .beginsWith(\.title, "Title") && .endsWith(\.title, "2")) == 1
        )
        #expect(try context.count(Book.self, where: .like(\.title, "T*?1") || .matches(\.title, ".*2")) == 3)
        #expect(
            try context.count(Book.self, where: .isIn(\.pages, [0, 2]) && .isBetween(\.pages, 1...5)) == 1)
        #expect(try context.count(Book.self, where: (\Book.title).length == 7) == 6)
        #expect(try context.count(Book.self, where: (\Book.title).lowercased == "title 0") == 3)
        #expect(try context.count(Book.self, where: (\Book.title).uppercased.endsWith("E 0")) == 3)
        #expect(books((\Book.title).trimmed == "x") == #"trim(title) = "x""#)
    }
}
