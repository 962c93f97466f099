import ChildProcesses
import ContextCore
import Dispatch
import Testing

/// Retries of blocks after contention with another transaction, however the blocks are submitted.
struct RetryPolicyTests {
    /// A way to submit a block.
    enum Form: CaseIterable {
        case awaiting, waiting, completion, queue, coordinated

        func write(
            _ store: Store, retries: Int, _ body: @escaping @Sendable (ObjectContext) throws -> Void
        ) async throws {
            switch self {
            case .awaiting: try await store.write("count", retries: retries, body)
            case .coordinated:
                try await store.coordinateWriting(identifier: "count", retries: retries, body)
            case .waiting: try await onThread { try store.writeAndWait("count", retries: retries, body) }
            case .completion:
                try await withCheckedThrowingContinuation { continuation in
                    store.write("count", retries: retries, body) { continuation.resume(with: $0) }
                }
            case .queue:
                try await withCheckedThrowingContinuation { continuation in
                    store.write("count", retries: retries, queue: .global(), body) {
                        continuation.resume(with: $0)
                    }
                }
            }
        }
    }

    @Test(arguments: Form.allCases, [StoreError.Code.contention, .conflict, .connectionLost])
    func `A block with retries is run again until it meets no contention`(
        _ form: Form, _ code: StoreError.Code
    ) async throws {
        let fixture = try StepStore()
        let attempts = Journal<Int>()
        try await form.write(fixture.store, retries: 3) { context in
            attempts.append(1)
            _ = Remark(in: context, text: "once")
            try context.save()
            if attempts.entries.count < 3 { throw StoreError(code, "Another one was there.") }
        }
        #expect(attempts.entries.count == 3 && fixture.state.rows.count == 1)
        await fixture.store.close()
    }

    @Test(arguments: Form.allCases)
    func `A block is run at most as often as allowed, and not after other errors`(_ form: Form) async throws {
        let fixture = try StepStore()
        for (code, retries, expected) in [
            (StoreError.Code.contention, 2, 3), (.contention, 0, 1), (.validation, 2, 1),
        ] {
            let attempts = Journal<Int>()
            let error = await #expect(throws: StoreError.self) {
                try await form.write(fixture.store, retries: retries) { _ in
                    attempts.append(1)
                    throw StoreError(code, "Always.")
                }
            }
            #expect(error?.code == code && attempts.entries.count == expected)
        }
        #expect(fixture.state.rows.isEmpty)
        await fixture.store.close()
    }
}
