import ContextCore
import Testing

struct NestedOperationTests {
    private let store: Store

    init() throws { store = try Store.inMemory([Remark.self]) }

    private func refusal(_ body: () throws -> Void) -> StoreError? {
        #expect(throws: StoreError.self) { try body() }
    }

    @Test func `A write inside a write is an error that names both`() throws {
        let error = refusal {
            try store.writeAndWait("outer") { _ in try store.writeAndWait("inner") { _ in } }
        }
        #expect(error?.code == .wouldDeadlock)
        #expect(error?.message.contains("write \"outer\"") == true)
        #expect(error?.message.contains("write \"inner\"") == true)
    }

    @Test func `A write or a read inside a read is an error that names both`() throws {
        for inner in ["write", "read"] {
            let error = refusal {
                try store.readAndWait("outer") { _ in
                    if inner == "write" {
                        try store.writeAndWait("inner") { _ in }
                    } else {
                        try store.readAndWait("inner") { _ in }
                    }
                }
            }
            #expect(error?.code == .wouldDeadlock)
            #expect(error?.message.contains("read \"outer\"") == true)
            #expect(error?.message.contains("\(inner) \"inner\"") == true)
        }
    }

    @Test func `A read inside a write sees pending changes, saved or not`() async throws {
        let texts = try await store.write("outer") { context in
            _ = Remark(in: context, text: "Saved", number: 1)
            try context.save()
            _ = Remark(in: context, text: "Pending", number: 2)
            return try store.readAndWait("inner") { inner in
                try inner.fetch(Remark.self, order: .ascending(\.number)).map(\.text)
            }
        }
        #expect(texts == ["Saved", "Pending"])
    }

    @Test func `A read inside a write can't save`() async throws {
        let error = await #expect(throws: StoreError.self) {
            try await store.write("outer") { _ in
                try store.readAndWait("inner") { inner in
                    _ = Remark(in: inner, text: "Sneaked in")
                    try inner.save()
                }
            }
        }
        #expect(error?.code == .readOnly)
    }

    @Test func `Using a context inside a block with a session is an error`() throws {
        let editor = store.makeBackgroundContext(name: "editor")
        let error = refusal {
            try store.readAndWait("report") { _ in try editor.performAndWait { _ in } }
        }
        #expect(error?.code == .wouldDeadlock)
        #expect(error?.message.contains("\"editor\"") == true)
        #expect(error?.message.contains("read \"report\"") == true)
    }

    @Test func `A block of a context may write and read, since it has no session`() throws {
        let editor = store.makeBackgroundContext()
        let count = try editor.performAndWait { _ in
            try store.writeAndWait("add") { _ = Remark(in: $0, text: "Added") }
            return try store.readAndWait("count") { try $0.count(Remark.self) }
        }
        #expect(count == 1)
    }

    @Test func `The context of a block can't be used in another block's session`() throws {
        let editor = store.makeBackgroundContext(name: "editor")
        let error = refusal {
            try editor.performAndWait { _ in
                try store.writeAndWait("outer") { _ in
                    try editor.performAndWait { _ = try $0.fetch(Remark.self) }
                }
            }
        }
        #expect(error?.code == .wouldDeadlock)
        #expect(error?.message.contains("write \"outer\"") == true)
    }

    @Test func `Blocks of two stores may be nested`() throws {
        let other = try Store.inMemory([Remark.self])
        try store.writeAndWait("outer") { _ in
            try other.writeAndWait("inner") { _ = Remark(in: $0, text: "Copied") }
        }
        #expect(try other.readAndWait("count") { try $0.count(Remark.self) } == 1)
    }

    @Test func `After an error the thread may use the store again`() throws {
        _ = refusal { try store.writeAndWait("outer") { _ in try store.writeAndWait("inner") { _ in } } }
        try store.writeAndWait("again") { _ in }
    }
}
