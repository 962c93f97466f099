#if Postgres
import ContextCore
import Foundation
import Testing

@testable import PostgresBackend

/// Saves of other processes are reported by notifications, without polling.
@Suite(.enabled(if: TestServer.isExpected), .timeLimit(.minutes(20)))
struct NotificationTests {
    private let configuration: PostgresConfiguration
    private let observer: PostgresConnection

    init() throws {
        configuration = try TestServer.freshConfiguration()
        observer = try PostgresConnection(configuration)
    }

    /// Opens a store that polls for others' saves only once a day.
    private func open(_ adjust: (inout PostgresConfiguration) -> Void = { _ in }) throws -> Store {
        var configuration = configuration
        adjust(&configuration)
        return try Store(
            coordinator: PostgresCoordinator(model: ObjectModel([Piece.self]), configuration),
            options: StoreOptions(watchInterval: .seconds(86_400)))
    }

    private func save(_ part: Int, to store: Store) async throws {
        try await store.write("save \(part)") { context in _ = Piece(in: context, batch: 1, part: part) }
    }

    private func channel(of store: Store) async throws -> String {
        "context_store_\(try await store.metadata().storeID.uuidString.lowercased())"
    }

    /// Waits until the given number of connections listen to a channel, and returns their process identifiers.
    private func listeners(_ count: Int, to channel: String) throws -> [Int64] {
        let query =
            "SELECT pid FROM pg_stat_activity WHERE query = 'LISTEN \"\(channel)\"' AND state = 'idle'"
        var found: [Int64] = []
        #expect(
            try eventually {
                let result = try observer.run(query)
                found = (0..<result.count).map { result.integer($0, 0) }
                return found.count == count
            })
        return found
    }

    /// Checks that no connection starts to listen to a channel.
    private func expectNoListener(to channel: String) throws {
        let appears = try eventually(within: .milliseconds(300)) {
            try observer.integer(
                "SELECT count(*) FROM pg_stat_activity WHERE query = 'LISTEN \"\(channel)\"'") != 0
        }
        #expect(!appears)
    }

    @Test func `Another store's saves are seen at once`() async throws {
        let (mine, theirs) = (try open(), try open())
        var changes = mine.changes.makeAsyncIterator()
        for part in 1...5 {
            try await save(part, to: theirs)
            #expect(await changes.next()?.contextName == "save \(part)")
        }
        await mine.close()
        await theirs.close()
    }

    @Test func `A results controller follows another store's saves`() async throws {
        let (mine, theirs) = (try open(), try open())
        try await save(0, to: mine)
        let editor = mine.makeBackgroundContext()
        let changes = try await editor.perform { context in
            context.automaticallyMergesChanges = true
            return try FetchedResultsController(Piece.self, order: .ascending(\.part), in: context).changes
        }
        var differences = changes.makeAsyncIterator()
        _ = await differences.next()
        try await save(1, to: theirs)
        #expect(await differences.next()?.steps.count == 1)
        await mine.close()
        await theirs.close()
    }

    @Test func `A lost listening connection is replaced, and no change is missed`() async throws {
        let (mine, theirs) = (try open(), try open())
        let channel = try await channel(of: mine)
        var changes = mine.changes.makeAsyncIterator()
        for part in 1...3 {
            let process = try #require(try listeners(1, to: channel).first)
            try observer.execute("SELECT pg_terminate_backend(\(process))")
            let isGone = try eventually {
                try observer.integer("SELECT count(*) FROM pg_stat_activity WHERE pid = \(process)") == 0
            }
            #expect(isGone)
            try await save(part, to: theirs)
            #expect(await changes.next()?.contextName == "save \(part)")
        }
        await mine.close()
        await theirs.close()
        #expect(try listeners(0, to: channel).isEmpty)
    }

    @Test func `A store listens from its first observer until it is closed`() async throws {
        let store = try open()
        let channel = try await channel(of: store)
        try expectNoListener(to: channel)
        let changes = store.changes
        _ = try listeners(1, to: channel)
        await store.close()
        _ = try listeners(0, to: channel)
        withExtendedLifetime(changes) {}
    }

    @Test func `After a rolled back notification, the next save sends one`() throws {
        let things = try ServerThings(configuration)
        try observer.execute(things.coordinator.store.channel.listenStatement)
        let session = try things.coordinator.openWriteSession(SessionOptions(identifier: "group"))
        let options = SessionOptions(identifier: "part")
        for (key, isKept) in [(1, false), (2, true), (3, true)] as [(Int64, Bool)] {
            try session.beginSavepoint(options)
            #expect(try session.apply(things.insertion(key)).conflicts.isEmpty)
            try session.endSavepoint(keepingWork: isKept)
        }
        _ = try session.commit()
        // The notification is sent after the commit.
        #expect(
            try eventually {
                try observer.execute("SELECT 1")
                return observer.nextNotification() != nil
            })
        #expect(observer.nextNotification() == nil)
        #expect(try things.keys() == [2, 3])
    }

    @Test(arguments: [true, false])
    func `A save notifies others once, if configured`(_ isOn: Bool) async throws {
        let store = try open { $0.notifies = isOn }
        try observer.execute("LISTEN \"\(try await channel(of: store))\"")
        let changes = store.changes
        try await store.write("many") { context in
            for part in 0..<3 {
                _ = Piece(in: context, batch: 1, part: part)
                try context.save()
            }
        }
        // All notifications of the commit arrive before the result of a later query.
        try observer.execute("SELECT 1")
        var rings = 0
        while observer.nextNotification() != nil { rings += 1 }
        #expect(rings == (isOn ? 1 : 0))
        if !isOn { try expectNoListener(to: try await channel(of: store)) }
        await store.close()
        withExtendedLifetime(changes) {}
    }

    @Test func `A save without changes sends no notification`() async throws {
        let store = try open()
        try observer.execute("LISTEN \"\(try await channel(of: store))\"")
        await #expect(throws: StoreError.self) {
            try await store.write("nothing") { context in
                _ = Piece(in: context, batch: 1, part: 1)
                try context.save()
                throw StoreError(.cancelled, "no")
            }
        }
        try observer.execute("SELECT 1")
        #expect(observer.nextNotification() == nil)
        await store.close()
    }

    @Test func `The setting notify controls the notifications`() throws {
        #expect(try PostgresConfiguration(StoreURL("postgres://a@b/c")).notifies)
        #expect(try PostgresConfiguration(StoreURL("postgres://a@b/c?notify=on")).notifies)
        #expect(try !PostgresConfiguration(StoreURL("postgres://a@b/c?notify=off")).notifies)
    }
}
#endif
