import Foundation
import Testing

@testable import ContextCore

struct StoreChangeTests {
    private let store: Store

    init() throws { store = try Store.inMemory([Remark.self]) }

    private func add(_ text: String) async throws -> ObjectID {
        try await store.write(text) { context in
            context.author = "Ann"
            let remark = Remark(in: context, text: text)
            try context.save()
            return remark.objectID
        }
    }

    @Test func `Each commit is reported once, in order, with author and name`() async throws {
        var changes = store.changes.makeAsyncIterator()
        let id = try await add("First")
        try await store.write("edit") { try $0.object(with: id, as: Remark.self).text = "Edited" }
        try await store.write("remove") { $0.delete(try $0.object(with: id)) }
        let inserted = try #require(await changes.next())
        let updated = try #require(await changes.next())
        let deleted = try #require(await changes.next())
        #expect(inserted.inserted == [id] && inserted.updated.isEmpty && inserted.deleted.isEmpty)
        #expect(inserted.contextName == "First" && inserted.author == "Ann" && inserted.isComplete)
        #expect(updated.updated == [id] && updated.inserted.isEmpty)
        #expect(deleted.deleted == [id])
        #expect(inserted.token.sequence < updated.token.sequence)
        #expect(updated.token.sequence < deleted.token.sequence)
    }

    @Test func `Writes that fail or change nothing are not reported`() async throws {
        var changes = store.changes.makeAsyncIterator()
        _ = try? await store.write("fails") { context in
            _ = Remark(in: context, text: "Gone")
            try context.save()
            throw CocoaError(.featureUnsupported)
        }
        try await store.write("idle") { _ in }
        let id = try await add("Kept")
        #expect(await changes.next()?.inserted == [id])
    }

    @Test func `The saves of one write block are one change`() async throws {
        var changes = store.changes.makeAsyncIterator()
        try await store.write("two saves") { context in
            let kept = Remark(in: context, text: "Kept")
            let gone = Remark(in: context, text: "Gone")
            try context.save()
            kept.text = "Edited"
            context.delete(gone)
        }
        let change = try #require(await changes.next())
        #expect(change.inserted.count == 1 && change.updated.isEmpty && change.deleted.count == 1)
    }

    @Test func `A long-lived context's save is reported with its name`() async throws {
        var changes = store.changes.makeAsyncIterator()
        let editor = store.makeBackgroundContext(name: "editor")
        try await editor.perform { context in
            _ = Remark(in: context, text: "New")
            try context.save()
        }
        let change = try #require(await changes.next())
        #expect(change.contextName == "editor" && change.inserted.count == 1)
    }

    @Test func `A sequence ends when its store closes, after what was committed before`() async throws {
        let changes = store.changes
        _ = try await add("Last")
        await store.close()
        var count = 0
        for await _ in changes { count += 1 }
        #expect(count == 1)
        for await _ in store.changes { Issue.record("A closed store changed.") }
    }

    @Test func `A sequence ends when its task is cancelled`() async throws {
        let task = Task { for await _ in store.changes {} }
        await Task.yield()
        task.cancel()
        await task.value
    }

    @Test func `A slow consumer gets the newest changes merged, and misses none`() async throws {
        var changes = store.changes.makeAsyncIterator()
        var ids: [ObjectID] = []
        for number in 0..<100 { ids.append(try await add("\(number)")) }
        var reported: [ObjectID] = []
        for _ in 0..<ChangeMailbox.capacity {
            let change = try #require(await changes.next())
            #expect(change.isComplete)
            reported += change.inserted
        }
        #expect(reported == ids)
    }

    @Test func `Changes with too many objects become one incomplete change`() async throws {
        var changes = store.changes.makeAsyncIterator()
        for _ in 0..<2 {
            try await store.write("many") { context in
                for number in 0..<6000 { _ = Remark(in: context, text: "\(number)") }
            }
        }
        let change = try #require(await changes.next())
        #expect(!change.isComplete && change.count == 0)
        let metadata = try await store.metadata()
        #expect(change.token.storeID == metadata.storeID)
    }

    @Test(
        arguments: [
            (["Ann", "Ann"], "Ann"), (["Ann", "Bea"], nil), (["Bea", "Ann", "Ann"], nil), (["", "Ann"], nil),
        ] as [([String], String?)])
    func `Merged changes name all of their authors, and no others`(
        _ authors: [String], _ author: String?
    ) async throws {
        let mailbox = ChangeMailbox()
        let space = IdentifierSpace(storeID: UUID(), entityName: "Remark", rootIndex: nil)
        for (number, author) in authors.enumerated() {
            var effects = NetEffects()
            // The last change exceeds the capacity of every mailbox.
            let count = number == authors.count - 1 ? ChangeMailbox.objectCapacity : 10
            for key in 0..<count { effects.record(.insert, ObjectID(space: space, key: Int64(key))) }
            mailbox.post(
                StoreChange(
                    token: StoreToken(storeID: space.storeID, sequence: Int64(number + 1)),
                    contextName: author.isEmpty ? nil : author, author: author.isEmpty ? nil : author,
                    effects: effects))
        }
        mailbox.close()
        let change = try #require(await mailbox.next())
        #expect(!change.isComplete && change.token.sequence == Int64(authors.count))
        #expect(change.author == author && change.contextName == author)
        #expect(await mailbox.next() == nil)
    }
}
