import Dispatch
import Foundation
import Testing

@testable import ContextCore

@Suite(.timeLimit(.minutes(5))) struct OutcomeWaiterTests {
    /// An object that records the thread of its deinitialization.
    private final class Mortal: Sendable {
        private let journal: Journal<String>

        init(_ journal: Journal<String>) { self.journal = journal }

        deinit { journal.append(Thread.current.name ?? "") }
    }

    @Test func `The result for a completion is released after it, on a thread without commits`() {
        let deaths = Journal<String>()
        let threads = ThreadCache(name: "releases", limit: 1)
        let waiter = OutcomeWaiter(retaining: Mortal(deaths))
        let counts = Journal<Int>()
        waiter.whenCompleted(releasingOn: threads) { _ in counts.append(deaths.entries.count) }
        #expect(deaths.entries.isEmpty)
        waiter.resume(.success(()))
        #expect(counts.entries == [0])
        let isEmpty = DispatchSemaphore(value: 0)
        threads.close { isEmpty.signal() }
        #expect(isEmpty.wait(timeout: .now() + 30) == .success)
        #expect(deaths.entries == ["releases"])
    }

    @Test func `The result for a thread or a task is released there`() async throws {
        let deaths = Journal<String>()
        let first = OutcomeWaiter(retaining: Mortal(deaths))
        first.resume(.success(()))
        try await first.value()
        #expect(deaths.entries.count == 1)
        let second = OutcomeWaiter(retaining: Mortal(deaths))
        second.resume(.success(()))
        try blocking { try second.wait() }
        #expect(deaths.entries.count == 2)
    }

    private func blocking(_ body: () throws -> Void) rethrows { try body() }
}
