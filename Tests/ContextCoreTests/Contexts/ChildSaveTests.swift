import Testing

@testable import ContextCore

struct ChildSaveTests {
    @Test
    func `A child saves newer rows than those of its parent`() throws {
        let library = try Library()
        try library.fill(authors: 1)
        let (context, other) = (try library.context().context, try library.context().context)
        let held = try #require(try context.first(FetchRequest<Author>()))
        #expect(held.born == 0)
        try other.object(with: held.objectID, as: Author.self).born = 5
        try other.save()
        let child = context.makeChild()
        let mine = try child.object(with: held.objectID, as: Author.self)
        #expect(mine.born == 5)
        mine.born = 6
        try child.save()
        #expect(held.born == 6 && held.isUpdated)
        try context.save()
        #expect(try library.context().context.first(FetchRequest<Author>())?.born == 6)
    }

    @Test func `A child saves the object that its parent has only as a fault`() throws {
        let library = try Library()
        let context = try library.context().context
        let child = context.makeChild()
        let new = Author(in: child, name: "new")
        try child.obtainPermanentIDs(for: [new])
        let held = try context.object(with: new.objectID, as: Author.self)
        #expect(held.isFault)
        try child.save()
        #expect(try context.object(with: new.objectID) === held)
        #expect(held.isInserted && held.name == "new")
        try context.save()
        #expect(!held.hasChanges && held.name == "new")
    }

    @Test func `A failed save of a child leaves its parent's faults unloaded`() throws {
        let library = try Library()
        try library.fill(authors: 1)
        let context = try library.context().context
        let author = try #require(try context.first(FetchRequest<Author>()))
        let child = context.makeChild()
        let new = Author(in: child, name: "new")
        try child.obtainPermanentIDs(for: [new])
        let held = try context.object(with: new.objectID, as: Author.self)
        try child.object(with: author.objectID, as: Author.self).born = 5
        author.born = 6
        #expect(throws: StoreError.self) { try child.save() }
        #expect(
            try context.object(with: new.objectID) === held && held.isFault && context.insertedObjects.isEmpty
        )
    }

    @Test func `Frequent saves of a child cause no conflicts`() throws {
        let library = try Library()
        try library.fill(authors: 1)
        let context = try library.context().context
        let child = context.makeChild()
        let mine = try #require(try child.first(FetchRequest<Author>()))
        let new = Author(in: child, name: "new")
        try child.save()
        for born in 1...9 {
            (mine.born, new.born) = (born, -born)
            try child.save()
            // Every third round saves to the store too, which assigns its own versions.
            if born.isMultiple(of: 3) { try context.save() }
        }
        let authors = try library.context().context.fetch(FetchRequest<Author>(order: [SortKey("born")]))
        #expect(authors.map(\.born) == [-9, 9])
    }

    @Test func `Frequent saves of a child never overwrite others' saves`() throws {
        for count in 1...5 {
            let library = try Library()
            try library.fill(authors: 1)
            let (context, other) = (try library.context().context, try library.context().context)
            let child = context.makeChild()
            let mine = try #require(try child.first(FetchRequest<Author>()))
            for born in 1...count {
                mine.born = born
                try child.save()
            }
            try context.save()
            try other.object(with: mine.objectID, as: Author.self).born = 100
            try other.save()
            mine.born = -1
            let error = #expect(throws: StoreError.self, "after \(count) saves") {
                try child.save()
                try context.save()
            }
            #expect(error?.code == .conflict)
            #expect(try library.context().context.first(FetchRequest<Author>())?.born == 100)
        }
    }

    @Test func `A child can't save a reference to an object deleted in its parent`() throws {
        let library = try Library()
        try library.fill(authors: 2)
        let context = try library.context().context
        let authors = try context.fetch(FetchRequest<Author>(order: [SortKey("born")]))
        let topic = Topic(in: context, name: "go")
        try context.save()
        let child = context.makeChild()
        let mine = try child.fetch(FetchRequest<Author>(order: [SortKey("born")]))
        let book = try #require(mine[1].books.first)
        let mineTopic = try child.existingObject(with: topic.objectID) as? Topic
        context.delete(authors[0])
        context.delete(topic)
        book.author = mine[0]
        let error = #expect(throws: StoreError.self) { try child.save() }
        #expect(error?.code == .missingReference && error?.conflicts.map(\.objectID) == [book.objectID])
        child.rollback()
        book.topics.insert(try #require(mineTopic))
        #expect(throws: StoreError.self) { try child.save() }
        child.rollback()
        _ = Book(in: child, title: "new", author: mine[0])
        #expect(throws: StoreError.self) { try child.save() }
        context.rollback()
        try child.saveToStore()
        #expect(authors[0].books.count == 2)
    }

    @Test func `A failed save leaves changes pending in their context only`() throws {
        let library = try Library()
        try library.fill(authors: 1)
        let context = try library.context().context
        let (child, held) = (context.makeChild(), try #require(try context.first(FetchRequest<Author>())))
        held.born = 7
        let grandchild = child.makeChild()
        let mine = try grandchild.object(with: held.objectID, as: Author.self)
        mine.name = "Ann"
        let twin = Author(in: grandchild, name: "Bea")
        let other = try library.context().context
        _ = Author(in: other, name: "Bea")
        try other.save()
        let error = #expect(throws: StoreError.self) { try grandchild.saveToStore() }
        #expect(error?.code == .duplicate)
        #expect(!child.hasChanges && context.insertedObjects.isEmpty)
        #expect(held.name == "author 0" && held.born == 7 && context.updatedObjects == [held])
        #expect(mine.isUpdated && twin.isInserted)
        twin.name = "Cid"
        try grandchild.saveToStore()
        #expect(!context.hasChanges && !grandchild.hasChanges && held.name == "Ann")
        #expect(try library.context().context.count(FetchRequest<Author>()) == 3)
    }

    @Test
    func `A child has its parent's fault policy, and a read-only context has no writable child`() throws {
        let library = try Library()
        let context = ObjectContext(
            model: library.coordinator.model, parent: try CountingParent(library.coordinator),
            isReadOnly: true)
        context.inaccessibleFaults = .deletedObject
        let child = context.makeChild()
        #expect(child.isReadOnly && child.inaccessibleFaults == .deletedObject)
    }

    @Test func `A read-only child saves nothing to a writable parent`() throws {
        let library = try Library()
        let context = try library.context().context
        let child = context.makeChild(isReadOnly: true)
        _ = Author(in: child, name: "Ann")
        let error = #expect(throws: StoreError.self) { try child.save() }
        #expect(error?.code == .readOnly && !context.hasChanges && child.hasChanges)
        child.rollback()
        #expect(try child.count(FetchRequest<Author>()) == 0)
    }

    @Test func `A failed fetch is no deletion, and leaves the parent unchanged`() throws {
        let library = try Library()
        try library.fill(authors: 2)
        let parent = FailingParent(try library.context().parent)
        let context = ObjectContext(model: library.coordinator.model, parent: parent)
        let child = context.makeChild()
        child.mergePolicy = .storeWins
        let mine = try #require(try child.first(FetchRequest<Author>()))
        mine.born = 77
        _ = Author(in: child, name: "new")
        parent.failsFrom = 0
        #expect { try child.save() } throws: { ($0 as? StoreError)?.code == .connectionLost }
        #expect(!context.hasChanges && context.insertedObjects.isEmpty)
        #expect(mine.born == 77 && mine.isUpdated && child.insertedObjects.count == 1)
        parent.failsFrom = nil
        try child.save()
        #expect(context.insertedObjects.count == 1)
        try context.save()
        #expect(try library.context().context.count(FetchRequest<Author>()) == 3)
    }
}

/// A parent whose reads fail after a number of successful ones.
private final class FailingParent: ContextParent {
    private let parent: CountingParent
    /// The number of reads that still succeed; nil for all.
    var failsFrom: Int?

    init(_ parent: CountingParent) { self.parent = parent }

    var identifiers: IdentifierSpaces { parent.identifiers }
    var needsBaseRows: Bool { parent.needsBaseRows }

    private func check() throws {
        guard let left = failsFrom else { return }
        if left <= 0 { throw StoreError(.connectionLost, "The server is gone.") }
        failsFrom = left - 1
    }

    func fetch(_ plan: FetchPlan) throws -> RowBatch {
        try check()
        return try parent.fetch(plan)
    }

    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        try check()
        return try parent.rows(keys, entityIndex: entityIndex)
    }

    func related(_ plan: RelatedPlan) throws -> RelatedRows {
        try check()
        return try parent.related(plan)
    }

    func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]] { try parent.aggregate(plan) }

    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64> {
        try parent.reserveKeys(count, rootIndex: rootIndex)
    }

    func save(_ changes: ChangeSet) throws -> SaveReceipt { try parent.save(changes) }
    func perform(_ batch: BatchPlan) throws -> BatchReceipt { try parent.perform(batch) }
}
