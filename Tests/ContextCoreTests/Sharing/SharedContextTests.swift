import Testing

@testable import ContextCore

@Suite(.timeLimit(.minutes(20))) struct SharedContextTests {
    private let store: Store

    init() throws { store = try Store.inMemory([Remark.self]) }

    private func add(_ text: String) async throws -> ObjectID {
        try await store.performWithSharedContext { context in
            let remark = Remark(in: context, text: text)
            try context.obtainPermanentIDs(for: [remark])
            return remark.objectID
        }
    }

    @Test func `All users of a shared context see its pending changes and others' saves`() async throws {
        _ = try await add("one")
        #expect(store.sharedContext === store.sharedContext)
        #expect(try await store.performWithSharedContext { $0.insertedObjects.count } == 1)
        try await store.write("other") { _ = Remark(in: $0, text: "two") }
        #expect(try await store.performWithSharedContext { try $0.count(Remark.self) } == 2)
        #expect(try await store.read("look") { try $0.count(Remark.self) } == 1)
    }

    @MainActor @Test func `A proxy has the shared context's contents, and follows it`() async throws {
        let id = try await add("one")
        let proxy = store.makeProxy()
        let remarks = try await proxy.fetch(FetchRequest<Remark>(order: [SortKey("text")]))
        #expect(remarks.map(\.text) == ["one"] && remarks.first?.objectID == id)
        try await store.performWithSharedContext { try $0.object(with: id, as: Remark.self).text = "changed" }
        _ = try await add("two")
        #expect(remarks.first?.text == "one")
        let again = try await proxy.fetch(FetchRequest<Remark>(order: [SortKey("text")]))
        #expect(again.map(\.text) == ["changed", "two"] && again.first === remarks.first)
        try await store.performWithSharedContext { context in context.delete(try context.object(with: id)) }
        #expect(try proxy.context.count(Remark.self) == 1)
        #expect(remarks.first?.isDeleted == true)
        #expect(try await store.read("look") { try $0.count(Remark.self) } == 0)
        try await proxy.save()
        #expect(try await store.read("look") { try $0.count(Remark.self) } == 1)
    }

    @MainActor @Test func `A proxy's results follow all changes`() async throws {
        let id = try await add("b")
        let proxy = store.makeProxy()
        let list = try FetchedResultsController(
            Remark.self, order: .ascending(\.text), in: proxy.context)
        var changes = list.changes.makeAsyncIterator()
        #expect(await changes.next()?.snapshot.count == 1)
        _ = try await add("a")
        #expect(await changes.next()?.snapshot.count == 2)
        try await store.performWithSharedContext { try $0.save() }
        try await store.write("others") { context in
            context.delete(try context.object(with: id))
            _ = Remark(in: context, text: "c")
        }
        let last = await changes.next()
        #expect(last?.snapshot.count == 2 && list.objects.map(\.text) == ["a", "c"])
    }

    @MainActor @Test func `A proxy can't save, and can still load faults`() async throws {
        let id = try await add("one")
        let proxy = store.makeProxy()
        let remark = try proxy.context.object(with: id, as: Remark.self)
        #expect(remark.isFault && remark.text == "one")
        remark.text = "mine"
        #expect { try proxy.context.save() } throws: { ($0 as? StoreError)?.code == .readOnly }
        #expect(
            try await store.performWithSharedContext { try $0.object(with: id, as: Remark.self).text }
                == "one")
    }

    @MainActor @Test func `A proxy's objects have permanent identifiers automatically`() async throws {
        try await store.performWithSharedContext { _ = Remark(in: $0, text: "new") }
        let proxy = store.makeProxy()
        let remarks = try await proxy.fetch(FetchRequest<Remark>())
        #expect(remarks.first?.objectID.isTemporary == false)
        try await store.performWithSharedContext { try $0.save() }
        #expect(try proxy.context.fetch(FetchRequest<Remark>()) == remarks)
    }

    @MainActor @Test func `An object that was deleted and restored is the same for a proxy`() async throws {
        let id = try await add("one")
        try await store.performWithSharedContext { try $0.save() }
        let proxy = store.makeProxy()
        let remark = try #require(try await proxy.fetch(FetchRequest<Remark>()).first)
        try await store.performWithSharedContext { $0.delete(try $0.object(with: id)) }
        try await store.performWithSharedContext { $0.rollback() }
        #expect(try proxy.context.fetch(FetchRequest<Remark>()) == [remark] && !remark.isDeleted)
    }

    @Test func `An actor with a proxy is released with it`() async throws {
        weak var weakReader: Reading?
        do {
            let reader = Reading()
            weakReader = reader
            try await reader.read(store, try await add("0"))
            try await reader.follow()
        }
        #expect(weakReader == nil)
    }

    @Test func `Many proxies in many tasks read while the shared context changes`() async throws {
        let id = try await add("0")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let reader = Reading()
                    for _ in 0..<20 { try await reader.read(store, id) }
                }
            }
            group.addTask {
                for number in 1...100 {
                    try await store.performWithSharedContext { context in
                        try context.object(with: id, as: Remark.self).text = "\(number)"
                        if number % 10 == 0 { try context.save() }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.read("look") { try $0.object(with: id, as: Remark.self).text } == "100")
    }
}

/// Reads through a separate proxy, and checks that no value is older than the one before.
private actor Reading {
    private var proxy: ContextProxy?
    private var last = 0

    private var list: FetchedResultsController<Remark>?

    /// Follows the changes of the proxy.
    func follow() throws {
        guard let proxy else { return }
        list = try FetchedResultsController(Remark.self, order: .ascending(\.text), in: proxy.context)
    }

    func read(_ store: Store, _ id: ObjectID) async throws {
        let proxy = proxy ?? store.makeProxy()
        self.proxy = proxy
        let remarks = try await proxy.fetch(FetchRequest<Remark>())
        let number = try #require(Int(remarks.first?.text ?? ""))
        #expect(number >= last)
        last = number
    }
}
