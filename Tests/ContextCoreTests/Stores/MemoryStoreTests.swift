import ContextCore
import Testing

struct MemoryStoreTests {
    @Test func `An in-memory store needs no backend`() async throws {
        let store = try await Store.open("memory:", model: [Remark.self])
        let id = try await store.write("add") { context in
            let remark = Remark(in: context, text: "Kept")
            try context.save()
            return remark.objectID
        }
        #expect(try await store.read("look") { try $0.object(with: id, as: Remark.self).text } == "Kept")
        await store.close()
    }

    @Test func `An in-memory store can be created synchronously`() throws {
        let store = try Store.inMemory([Remark.self])
        try store.writeAndWait("add") { _ = Remark(in: $0, text: "Kept") }
        #expect(try store.readAndWait("look") { try $0.fetch(Remark.self).map(\.text) } == ["Kept"])
    }

    @Test func `Metadata of the program is stored`() async throws {
        let store = try Store.inMemory([Remark.self])
        try await store.setUserInfo(["imported": "yes"])
        #expect(try await store.metadata().userInfo == ["imported": "yes"])
    }
}
