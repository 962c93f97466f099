import Synchronization
import Testing

@testable import ContextCore

/// A store reads the history when it is notified, and no more often than necessary.
struct ChangeWatchTests {
    private func open(_ coordinator: RingingCoordinator) throws -> Store {
        try Store(coordinator: coordinator, options: StoreOptions(watchInterval: nil))
    }

    private func waitForReads(_ coordinator: RingingCoordinator, _ count: Int) async throws {
        while coordinator.readCount < count { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test(.timeLimit(.minutes(20))) func `A notification causes one read, and a burst causes a few`()
        async throws
    {
        let coordinator = RingingCoordinator()
        let store = try open(coordinator)
        let changes = store.changes
        let before = coordinator.readCount
        coordinator.ring()
        try await waitForReads(coordinator, before + 1)
        let clock = ContinuousClock()
        let start = clock.now
        for _ in 0..<10_000 { coordinator.ring() }
        // However long that took, there is at most one read in ten milliseconds, and one or two after it.
        let most = Int((clock.now - start) / .milliseconds(10)) + 3
        try await waitForReads(coordinator, before + 2)
        // Wait until no more reads happen.
        var readCount = 0
        while readCount != coordinator.readCount {
            readCount = coordinator.readCount
            try await Task.sleep(for: .milliseconds(200))
        }
        #expect(readCount <= before + 1 + most)
        await store.close()
        withExtendedLifetime(changes) {}
    }

    @Test(.timeLimit(.minutes(20))) func `A failed read is repeated until it succeeds`() async throws {
        let coordinator = RingingCoordinator()
        let store = try open(coordinator)
        let changes = store.changes
        let before = coordinator.readCount
        coordinator.refuse(3)
        coordinator.ring()
        try await waitForReads(coordinator, before + 4)
        await store.close()
        withExtendedLifetime(changes) {}
    }

    @Test func `Notifications start with the first observer`() async throws {
        let coordinator = RingingCoordinator()
        let store = try open(coordinator)
        #expect(!coordinator.isHeard)
        let changes = [store.changes, store.changes]
        #expect(coordinator.isHeard)
        await store.close()
        withExtendedLifetime(changes) {}
    }
}

/// An in-memory store that a test can make send notifications.
private final class RingingCoordinator: CommitNotifyingCoordinator {
    private let store = InMemoryCoordinator(model: .empty)
    private let bell = Mutex<(@Sendable () -> Void)?>(nil)
    private let sessions = Atomic(0)
    /// The number of sessions that will still be refused.
    private let refusals = Mutex(0)

    var model: ObjectModel { store.model }
    var capabilities: StoreCapabilities { store.capabilities.union(.sharedByProcesses) }
    var readCount: Int { sessions.load(ordering: .relaxed) }
    var isHeard: Bool { bell.withLock { $0 != nil } }

    func refuse(_ count: Int) { refusals.withLock { $0 = count } }

    func ring() { bell.withLock { $0 }?() }

    func notifyCommits(to listener: @escaping @Sendable () -> Void) {
        bell.withLock { bell in
            precondition(bell == nil, "The notifier is set at most once.")
            bell = listener
        }
    }

    func metadata() throws -> StoreMetadata { try store.metadata() }

    func openReadSession(_ options: SessionOptions) throws -> any ReadSession {
        sessions.add(1, ordering: .relaxed)
        let isRefused = refusals.withLock { count in
            defer { count = max(0, count - 1) }
            return count > 0
        }
        if isRefused { throw StoreError(.connectionLost, "The server is just starting.") }
        return try store.openReadSession(options)
    }

    func openWriteSession(_ options: SessionOptions) throws -> any WriteSession {
        try store.openWriteSession(options)
    }

    func close() { store.close() }
}
