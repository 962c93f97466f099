import Testing

@testable import ContextCore

struct ResultsControllerTests {
    private let library: Library
    private let context: ObjectContext

    init() throws {
        library = try Library()
        context = try library.context().context
    }

    private func book(_ title: String, by author: Author?, pages: Int = 100) -> Book {
        Book(in: context, title: title, pages: pages, author: author)
    }

    private func titles(_ controller: FetchedResultsController<Book>) -> [[String]] {
        controller.sections.indices.map { section in
            (0..<controller.count(inSection: section)).map {
                controller[ResultsPosition(section: section, row: $0)].title
            }
        }
    }

    @Test func `Changes, insertions and deletions are reported by row when they are processed`() throws {
        let ann = Author(in: context, name: "Ann")
        let (one, two) = (book("one", by: ann, pages: 1), book("two", by: ann, pages: 2))
        let controller = try FetchedResultsController(
            Book.self, where: \.pages < 50, order: .ascending(\.pages), in: context)
        var reported: [[ResultsStep]] = []
        controller.onChange = { reported.append($0.steps) }
        #expect(titles(controller) == [["one", "two"]] && controller.sections.map(\.name) == [""])
        let three = book("three", by: nil, pages: 0)
        two.title = "2"
        one.pages = 60
        #expect(controller.count == 2 && reported.isEmpty)
        context.processPendingChanges()
        #expect(titles(controller) == [["three", "2"]])
        let start = ResultsPosition(section: 0, row: 0)
        #expect(
            reported == [
                [
                    .delete(one.objectID, at: start), .insert(three.objectID, at: start),
                    .update(two.objectID, at: ResultsPosition(section: 0, row: 1)),
                ]
            ])
        #expect(controller.position(of: one) == nil && controller.position(of: three) == start)
        try context.save()
        #expect(reported.count == 1)
        context.delete(three)
        try context.save()
        #expect(reported.last == [.delete(three.objectID, at: start)] && controller.objects == [two])
        #expect(controller.results.runCount == 1)
    }

    @Test func `Sections appear and disappear with their rows, and follow their names`() throws {
        let (ann, bob) = (Author(in: context, name: "Ann"), Author(in: context, name: "Bob"))
        let (one, two) = (book("one", by: ann), book("two", by: bob))
        _ = book("zero", by: nil)
        let controller = try FetchedResultsController(
            Book.self, order: .descending(\.title), sections: \.author?.name, in: context)
        #expect(controller.sections.map(\.name) == ["", "Ann", "Bob"])
        #expect(titles(controller) == [["zero"], ["one"], ["two"]])
        ann.name = "Cid"
        context.processPendingChanges()
        #expect(
            controller.sections.map(\.name) == ["", "Bob", "Cid"]
                && titles(controller) == [["zero"], ["two"], ["one"]])
        two.author = ann
        context.processPendingChanges()
        #expect(titles(controller) == [["zero"], ["two", "one"]])
        context.delete(ann)
        context.processPendingChanges()
        #expect(titles(controller) == [["zero", "two", "one"]])
        context.rollback()
        #expect(controller.count == 0)
        #expect(one.isDeleted && controller.results.runCount == 1)
    }

    @Test func `A controller follows undo, redo, rollback, refresh and reset`() throws {
        try library.fill(authors: 3)
        context.isUndoEnabled = true
        let controller = try FetchedResultsController(Author.self, order: .descending(\.born), in: context)
        let authors = controller.objects
        #expect(authors.map(\.born) == [2, 1, 0])
        authors[2].born = 9
        context.processPendingChanges()
        #expect(controller.objects.map(\.born) == [9, 2, 1])
        context.undo()
        #expect(controller.objects == authors)
        context.redo()
        #expect(controller.objects.first === authors[2])
        context.rollback()
        #expect(controller.objects == authors)
        let other = try library.context().context
        try other.object(with: authors[0].objectID, as: Author.self).born = -1
        try other.save()
        #expect(controller.objects == authors)
        try context.refresh(authors[0])
        #expect(controller.objects.map(\.born) == [1, 0, -1] && controller.results.runCount == 1)
        context.reset()
        #expect(controller.objects.map(\.born) == [1, 0, -1] && controller.objects[0] !== authors[1])
        #expect(controller.results.runCount == 2)
    }

    @Test func `A save of a few of many rows takes few comparisons and requests`() throws {
        try library.fill(authors: 3000)
        let (context, parent) = try library.context()
        let controller = try FetchedResultsController(
            Book.self, where: \.pages > 10 && \.author?.born >= 0, order: .ascending(\.author?.name),
            .ascending(\.title),
            in: context)
        let (reads, rows) = (parent.reads, parent.rowsServed)
        controller[7].pages = 77
        controller[1500].pages = 1
        controller[2999].title = "A"
        try context.save()
        #expect(
            controller.count == 2999 && controller.results.runCount == 1
                && controller.results.evaluationCount == 3)
        #expect(parent.reads - reads < 3)
        controller[20].author?.born = -7
        try context.save()
        #expect(
            controller.count == 2998 && controller.results.runCount == 1
                && controller.results.evaluationCount == 4)
        #expect(parent.rowsServed - rows < 10)
    }

    @Test func `A request is run again only if the affected objects are unknown`() throws {
        try library.fill(authors: 5, books: 2)
        let limited = try FetchedResultsController(
            Author.self, order: .ascending(\.born), limit: 2, in: context)
        let counted = try FetchedResultsController(
            FetchRequest<Author>(
                where: FetchPredicate("SUBQUERY(books, $b, $b.pages > 9).@count > 1"),
                order: [SortKey("born")]),
            in: context)
        limited[0].born = 100
        context.processPendingChanges()
        #expect(limited.objects.map(\.born) == [1, 2] && limited.results.runCount == 2)
        #expect(counted.objects.map(\.born) == [1, 2, 3, 4, 100] && counted.results.runCount == 1)
        // Both ends of a relationship change, so the controller must trace the change.
        try #require(limited[0].books.first).author = nil
        context.processPendingChanges()
        #expect(counted.objects.map(\.born) == [2, 3, 4, 100] && counted.results.runCount == 1)
        #expect(limited.results.runCount == 3)
        try #require(counted[0].books.first).pages = 1
        context.processPendingChanges()
        #expect(counted.objects.map(\.born) == [3, 4, 100] && counted.results.runCount == 2)
        #expect(limited.results.runCount == 3)
    }

    @Test func `A child's save reaches its parent's controllers, and others' saves do by merging`() throws {
        let controller = try FetchedResultsController(Author.self, order: .ascending(\.name), in: context)
        let child = context.makeChild()
        let ann = Author(in: child, name: "Ann")
        let inChild = try FetchedResultsController(Author.self, order: .ascending(\.name), in: child)
        #expect(inChild.count == 1 && controller.count == 0)
        try child.save()
        #expect(controller.objects.map(\.name) == ["Ann"] && inChild.objects == [ann])
        try context.save()
        let other = try library.context().context
        try other.object(with: ann.objectID, as: Author.self).name = "Bob"
        let cid = Author(in: other, name: "Cid")
        try other.save()
        var effects = NetEffects()
        effects.record(.update, ann.objectID)
        effects.record(.insert, cid.objectID)
        let token = StoreToken(storeID: library.coordinator.storeID, sequence: 3)
        try context.merge(StoreChange(token: token, contextName: nil, author: nil, effects: effects))
        #expect(controller.objects.map(\.name) == ["Bob", "Cid"] && controller.results.runCount == 1)
        try context.merge(
            StoreChange(token: token, contextName: nil, author: nil, effects: effects, isComplete: false))
        #expect(controller.objects.map(\.name) == ["Bob", "Cid"] && controller.results.runCount == 2)
    }

    @Test func `A failed fetch is repeated later, and reports the reason`() throws {
        try library.fill(authors: 2)
        let (context, parent) = try library.unreliableContext()
        let controller = try FetchedResultsController(
            Author.self, order: .ascending(\.born), limit: 9, in: context)
        parent.isLost = true
        controller[0].born = 10
        context.processPendingChanges()
        #expect(controller.failure != nil && controller.objects.map(\.born) == [10, 1])
        #expect(throws: StoreError.self) { try controller.refetch() }
        parent.isLost = false
        try controller.refetch()
        #expect(controller.failure == nil && controller.objects.map(\.born) == [1, 10])
    }
}
