import Testing

@testable import ContextCore

struct SaveTests {
    @Test func `Validation collects every failure`() throws {
        let context = try Library().context().context
        let book = Book(in: context, title: "", pages: 9000)
        _ = Author(in: context, name: "Ann")
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .validation)
        #expect(Set(error?.failures.compactMap(\.property) ?? []) == ["title", "pages"])
        #expect(error?.description.contains("9000") == false)
        #expect(book.isInserted && book.objectID.isTemporary)
        #expect(error?.failures.compactMap(\.valueKind) == ["0 characters"])
        let failures = #expect(throws: StoreError.self) { try book.validate("pages") }?.failures
        #expect(failures?.map(\.rule) == ["must be at most 5000"])
    }

    @Test func `A failed validation says what each object must be, and its size if that is the reason`()
        throws
    {
        let context = try Library().context().context
        let book = Book(in: context, title: "", pages: 9000)
        let other = Book(in: context, title: "a title that is too long")
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(
            error?.message == "2 objects are not valid."
                && error?.remedy == "Correct the values and save again.")
        #expect(
            Set(error?.failures.map(\.description) ?? []) == [
                "\(book.objectID): title must have at least 1 character, not 0 characters.",
                "\(book.objectID): pages must be at most 5000.",
                "\(other.objectID): title must have at most 20 characters, not 24 characters.",
            ])
    }

    @Test func `A validation hook's error without failures stops the save`() throws {
        let context = try Library().context().context
        let loan = Loan(in: context)
        try context.save()
        loan.days = 1000
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.failures.map(\.description) == ["\(loan.objectID): The loan is too long."])
    }

    @Test func `A property is validated as a save would, even of a fault`() throws {
        let library = try Library()
        try library.fill(authors: 1)
        let context = try library.context().context
        let book = try #require(try context.first(FetchRequest<Book>()))
        context.refault(book)
        try book.validate("title")
        try book.validate("topics")
        book.title = ""
        #expect(throws: StoreError.self) { try book.validate("title") }
    }

    @Test func `A failed save leaves identifiers temporary and changes pending, and can be repeated`() throws
    {
        let library = try Library()
        try library.fill(authors: 1)
        let context = try library.context().context
        let author = Author(in: context, name: "author 0")
        let rack = Rack(in: context)
        rack.books = [Book(in: context, title: "b", author: author), Book(in: context, title: "a")]
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .duplicate)
        #expect(author.objectID.isTemporary && author.isInserted)
        author.name = "other"
        try context.save()
        let fresh = try library.context().context
        #expect(try #require(try fresh.first(FetchRequest<Rack>())).books.map(\.title) == ["b", "a"])
    }

    @Test func `A temporary identifier finds its object after the save, but not after a failed one`() throws {
        let library = try Library()
        try library.fill(authors: 1)
        let context = try library.context().context
        let racks = (0..<5).map { _ in Rack(in: context) }
        let ids = racks.map(\.objectID)
        let author = Author(in: context, name: "author 0")
        let taken = author.objectID
        #expect(throws: StoreError.self) { try context.save() }
        #expect(try context.object(with: taken) === author && author.objectID == taken)
        author.name = "other"
        try context.save()
        #expect(author.objectID != taken)
        #expect(try context.object(with: taken) === author)
        for (rack, id) in zip(racks, ids) {
            #expect(try context.object(with: id) === rack && context.existingObject(with: id) === rack)
        }
        let other = try library.context().context
        #expect { try other.object(with: taken) } throws: { ($0 as? StoreError)?.code == .objectNotFound }
    }

    @Test func `The error of a duplicate insertion doesn't suggest a refresh`() throws {
        let library = try Library()
        try library.fill(authors: 1)
        let context = try library.context().context
        _ = Author(in: context, name: "author 0")
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.remedy?.contains("Refresh") == false)
        #expect(error?.remedy?.contains("other values") == true)
    }

    @Test func `Duplicate pending objects are found before the store is asked`() throws {
        let (context, parent) = try Library().context()
        let (one, two) = (Author(in: context, name: "Ann"), Author(in: context, name: "Ann"))
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .duplicate && parent.saves == 0)
        let conflict = try #require(error?.conflicts.first)
        #expect([one.objectID, two.objectID].contains(conflict.objectID))
    }

    @Test func `A duplicate of a stored object is named by the identifier that it has after the save`() throws
    {
        let library = try Library()
        try library.fill(authors: 1)
        let context = try library.context().context
        _ = Author(in: context, name: "other")
        let author = Author(in: context, name: "author 0")
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .duplicate && error?.conflicts.map(\.objectID) == [author.objectID])
        #expect(author.objectID.isTemporary)
        #expect(try context.object(with: author.objectID) === author)
    }

    @Test func `Hooks run until nothing changes, and one without an end is an error`() throws {
        let context = try Library().context().context
        let reader = Reader(in: context, name: "restless")
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .endlessWillSave)
        reader.name = "calm"
        try context.save()
        let loan = Loan(in: context)
        try context.save()
        loan.days = -1
        #expect(throws: StoreError.self) { try context.save() }
    }

    @Test func `A hook may assign a value without a condition`() throws {
        let context = try Library().context().context
        let reader = Reader(in: context, name: "loud Ann")
        try context.save()
        #expect(reader.name == "LOUD ANN")
        reader.name = "loud Bob"
        try context.save()
        #expect(reader.name == "LOUD BOB" && !context.hasChanges)
    }

    @Test func `Saving some objects includes the new objects that they refer to`() throws {
        let library = try Library()
        let context = try library.context().context
        let author = Author(in: context, name: "Ann")
        let book = Book(in: context, title: "Go", author: author)
        let later = Book(in: context, title: "later", author: author)
        try context.save(only: [book])
        #expect(!author.hasChanges || author.isUpdated)
        #expect(later.isInserted && !book.hasChanges && author.books == [book, later])
        context.rollback()
        #expect(author.books == [book])
        #expect(try library.context().context.count(FetchRequest<Book>()) == 1)
    }

    @Test func `Transient values are tracked and never stored`() throws {
        let library = try Library()
        let context = try library.context().context
        let book = Book(in: context, title: "Go", isOpenAfterwards: true)
        try context.save()
        #expect(book.isOpen && !book.hasChanges)
        #expect(try #require(try library.context().context.first(FetchRequest<Book>())).isOpen == false)
    }

    @Test func `Merge policies decide which changes win`() throws {
        for (policy, pages, title) in [
            (MergePolicy.storeWins, 1, "mine"), (.objectWins, 2, "mine"), (.overwrite, 2, "mine"),
            (.rollback, 1, "old"),
        ] {
            let (library, mine, book) = try contested()
            mine.mergePolicy = policy
            try mine.save()
            #expect(book.pages == pages && book.title == title && !mine.hasChanges)
            let stored = try #require(try library.context().context.first(FetchRequest<Book>()))
            #expect(stored.pages == pages && stored.title == title)
        }
    }

    @Test func `A conflict is thrown with base, mine and theirs, and nothing is changed`() throws {
        let (_, mine, book) = try contested()
        let error = #expect(throws: StoreError.self) { try mine.save() }
        #expect(error?.code == .conflict)
        let property = try #require(error?.conflicts.first?.properties.first { $0.name == "pages" })
        #expect(property.base == .int(100) && property.mine == .int(2) && property.theirs == .int(1))
        #expect(book.pages == 2 && book.isUpdated)
        mine.mergePolicy.setRule(.custom { _ in .int(3) }, for: \Book.pages)
        try mine.save()
        #expect(book.pages == 3)
    }

    @Test func `A rule for one property leaves other conflicts to the program`() throws {
        let (_, mine, book) = try contested()
        book.pages = 100
        mine.mergePolicy.setRule(.storeWins, forEntityNamed: "Book", property: "pages")
        let error = #expect(throws: StoreError.self) { try mine.save() }
        #expect(error?.code == .conflict && book.title == "mine")
        mine.mergePolicy.setRule(.storeWins, forEntityNamed: "Book", property: "page")
        let unknown = #expect(throws: StoreError.self) { try mine.save() }
        #expect(unknown?.code == .unknownProperty && unknown?.message.contains("Book.page") == true)
    }

    /// Creates a book whose pages another context has changed to 1; this context has changed them to 2, and the title too.
    private func contested() throws -> (Library, ObjectContext, Book) {
        let library = try Library()
        let theirs = try library.context().context
        let theirBook = Book(in: theirs, title: "old")
        try theirs.save()
        let mine = try library.context().context
        let book = try #require(try mine.first(FetchRequest<Book>()))
        book.pages = 2
        book.title = "mine"
        theirBook.pages = 1
        try theirs.save()
        return (library, mine, book)
    }
}

extension Book {
    fileprivate convenience init(in context: ObjectContext, title: String, isOpenAfterwards: Bool) {
        self.init(in: context, title: title)
        isOpen = isOpenAfterwards
    }
}
