import Testing

@testable import ContextCore

struct OthersChangesTests {
    private let mine: SharedCoordinator
    private let store: Store
    private let theirs: Store

    init() throws {
        let memory = InMemoryCoordinator(model: try ObjectModel([Remark.self]))
        mine = SharedCoordinator(memory)
        store = try Store(coordinator: mine, options: StoreOptions())
        theirs = try Store(coordinator: SharedCoordinator(memory), options: StoreOptions())
    }

    private func add(_ text: String, to store: Store) async throws -> ObjectID {
        try await store.write(text) { context in
            let remark = Remark(in: context, text: text)
            try context.save()
            return remark.objectID
        }
    }

    @Test func `Others' commits are reported before a commit, even if all connections are in use`()
        async throws
    {
        var changes = store.changes.makeAsyncIterator()
        mine.isFull.withLock { $0 = true }
        let first = try await add("theirs", to: theirs)
        let second = try await add("mine", to: store)
        let reported = [await changes.next(), await changes.next()]
        #expect(reported.map { $0?.inserted } == [[first], [second]])
        #expect(reported.allSatisfy { $0?.isComplete == true })
    }
}
