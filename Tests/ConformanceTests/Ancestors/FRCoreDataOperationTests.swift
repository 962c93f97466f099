import ContextCore
import Foundation
import Testing

/// The features of FRCoreDataOperation and FRCoreDataBlockOperation: operations with their own context on their own thread, and blocks
/// that share a context and return whether to save.
@Suite(.timeLimit(.minutes(20))) struct FRCoreDataOperationTests {
    /// An operation with its own context.
    private final class Import: ContextOperation, @unchecked Sendable {
        override func main() {
            let club = SampleClub(in: threadContext, name: "Imported")
            for number in 1...5 { _ = SampleMember(in: threadContext, name: "\(number)", club: club) }
            do { try threadContext.save() } catch { Issue.record(error) }
        }
    }

    private func run(_ operations: [Operation]) async {
        let queue = OperationQueue()
        await withCheckedContinuation { continuation in
            let last = BlockOperation { continuation.resume() }
            for operation in operations { last.addDependency(operation) }
            queue.addOperations(operations + [last], waitUntilFinished: false)
        }
    }

    @Test(arguments: Subject.all)
    func `Operations have their own contexts, and run in the order of their dependencies`(_ subject: Subject)
        async throws
    {
        try await subject.withStore { store async throws in
            let count = ContextBlockOperation(store: store, name: "count", state: 0)
            count.addExecutionBlock { context, count in
                count = try context.count(SampleMember.self)
                return false
            }
            let first = Import(store: store, name: "import")
            count.addDependency(first)
            await run([count, first])
            #expect(try count.outcome?.get() == 5)
        }
    }

    @Test(arguments: Subject.all)
    func `Blocks share a context, and return whether to save`(_ subject: Subject) async throws {
        try await subject.withStore { store async throws in
            let operation = ContextBlockOperation(store: store, name: "season")
            operation.addExecutionBlock { context in
                _ = SampleClub(in: context, name: "Saved by the second block")
                return false
            }
            operation.addExecutionBlock { context in
                #expect(context.insertedObjects.count == 1)
                return true
            }
            operation.addExecutionBlock { context in
                _ = SampleClub(in: context, name: "Dropped")
                return false
            }
            await run([operation])
            let names = try await store.read("names") { try $0.fetch(SampleClub.self).map(\.name) }
            #expect(names == ["Saved by the second block"])

            let saving = ContextBlockOperation(store: store, name: "at the end")
            saving.saveAfterExecution = true
            saving.addExecutionBlock { context in
                _ = SampleClub(in: context, name: "Saved at the end")
                return false
            }
            await run([saving])
            #expect(try await store.read("count") { try $0.count(SampleClub.self) } == 2)
        }
    }

    @Test(arguments: Subject.all)
    func `A cancelled operation runs no further block and saves nothing`(_ subject: Subject) async throws {
        try await subject.withStore { store async throws in
            let operation = ContextBlockOperation(store: store, name: "cancelled")
            operation.addExecutionBlock { [unowned operation] context in
                _ = SampleClub(in: context, name: "Never saved")
                operation.cancel()
                return false
            }
            operation.addExecutionBlock { _ in
                Issue.record("A block ran after the operation was cancelled.")
                return true
            }
            operation.saveAfterExecution = true
            await run([operation])
            #expect(throws: StoreError.self) { try operation.outcome?.get() }
            #expect(try await store.read("count") { try $0.count(SampleClub.self) } == 0)
        }
    }
}
