import ContextCore
import Synchronization
import Testing

/// Blocks without a name.
struct UnnamedOperationTests {
    @Test func `A block without a name is named by its source location, but not in the history`()
        async throws
    {
        let reports = Journal<OperationReport>()
        let store = try StepStore(options: StoreOptions(operationLog: OperationLog(handler: reports.append)))
            .store
        var changes = store.changes.makeAsyncIterator()
        let line: UInt = #line + 1
        let count = try await store.write { context in
            _ = Remark(in: context, text: "a")
            return try context.count(Remark.self)
        }
        #expect(try await store.read { try $0.count(Remark.self) } == count)
        #expect(try store.readAndWaitUnnamed() == count)
        #expect(
            reports.entries.map(\.identifier).contains("ContextCoreTests/UnnamedOperationTests.swift:\(line)")
        )
        let change = await changes.next()
        #expect(change != nil && change?.contextName == nil)
        await store.close()
        let error = await #expect(throws: StoreError.self) { try await store.write { _ in } }
        #expect(
            error?.message.hasPrefix("write at ContextCoreTests/UnnamedOperationTests.swift:") == true,
            "\(error as Any)")
    }
}

extension Store {
    fileprivate func readAndWaitUnnamed() throws -> Int { try readAndWait { try $0.count(Remark.self) } }
}
