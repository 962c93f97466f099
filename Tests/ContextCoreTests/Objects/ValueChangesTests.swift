import Testing

@testable import ContextCore

@MainActor struct ValueChangesTests {
    private let store: Store
    private var context: ObjectContext { store.viewContext }

    init() throws {
        store = try Store.inMemory([Author.self, Rack.self, Book.self, Topic.self, Loan.self, Reader.self])
    }

    @Test func `Changes of a property are reported, whoever makes them`() async throws {
        context.isObserved = false
        let author = Author(in: context, name: "Ann")
        try context.save()
        var changes = author.changes(of: \.name).makeAsyncIterator()
        author.name = "Bo"
        author.name = "Cid"
        #expect(await changes.next() == "Cid")
        context.rollback()
        #expect(await changes.next() == "Ann")
        author.born = 7
        author.name = "Dan"
        try context.save()
        #expect(await changes.next() == "Dan")
        #expect(!context.isObserved)
    }

    @Test func `A waiting task is resumed`() async throws {
        let author = Author(in: context, name: "Ann")
        let task = Task { @MainActor in
            var seen: [String] = []
            for await name in author.changes(of: \.name) {
                seen.append(name)
                if seen.count == 2 { break }
            }
            return seen
        }
        await Task.yield()
        author.name = "Bo"
        for _ in 0..<10 { await Task.yield() }
        author.name = "Cid"
        #expect(await task.value == ["Bo", "Cid"])
    }

    @Test func `Changes of relationships and merges are reported too`() async throws {
        let author = Author(in: context, name: "Ann")
        try context.save()
        var changes = author.changes(of: \.books).makeAsyncIterator()
        let book = Book(in: context, title: "one", author: author)
        #expect(await changes.next() == [book])
        try context.save()
        let id = author.objectID
        var names = author.changes(of: \.name).makeAsyncIterator()
        try await store.write("other") { try $0.object(with: id, as: Author.self).name = "Bo" }
        try context.refresh(author)
        #expect(await names.next() == "Bo")
    }

    @Test func `The sequence ends when the object is released, or its task is cancelled`() async throws {
        let author = Author(in: context, name: "Ann")
        try context.save()
        var changes = author.changes(of: \.name).makeAsyncIterator()
        context.delete(author)
        #expect(await changes.next() == nil)
        context.rollback()
        var others = author.changes(of: \.name).makeAsyncIterator()
        context.reset()
        #expect(await others.next() == nil)
        var lost = try dropped()
        #expect(await lost.next() == nil)
        let other = Author(in: context, name: "Bo")
        let task = Task { @MainActor in
            var changes = other.changes(of: \.name).makeAsyncIterator()
            return await changes.next()
        }
        await Task.yield()
        task.cancel()
        #expect(await task.value == nil)
    }

    @Test(.timeLimit(.minutes(20))) func `Several tasks wait for one sequence, and each one ends separately`()
        async throws
    {
        let author = Author(in: context, name: "Ann")
        let changes = author.changes(of: \.name)
        author.name = "Bo"
        let tasks = (0..<3).map { _ in
            Task { @MainActor in
                var seen: [String] = []
                for await name in changes {
                    seen.append(name)
                    if name == "Dan" { break }
                }
                return seen
            }
        }
        for name in ["Cid", "Dan"] {
            for _ in 0..<10 { await Task.yield() }
            author.name = name
            if name == "Cid" {
                for _ in 0..<10 { await Task.yield() }
                tasks[1].cancel()
            }
        }
        #expect(await tasks[0].value == ["Bo", "Cid", "Dan"])
        #expect(await tasks[1].value == ["Bo", "Cid"])
        #expect(await tasks[2].value == ["Bo", "Cid", "Dan"])
    }

    /// Returns the changes of an object that has been released.
    private func dropped() throws -> ValueChanges<Author, String>.Iterator {
        let author = Author(in: context, name: "Eve")
        try context.save()
        return author.changes(of: \.name).makeAsyncIterator()
    }
}
