import ContextCore
import Testing

@testable import Games

/// The comparison of lists with the store, and its messages.
@MainActor struct ListingTests {
    private func open() async throws -> Store {
        try await Store.open("memory:", backends: [], model: [Game.self, Player.self, Season.self])
    }

    @Test func `Lists that follow a store agree with it after play has ended`() async throws {
        let store = try await open()
        let play = Play(store: store, counters: Counters())
        try await play.setUp()
        let lists = try WatchedLists(store)
        let crew = Crew()
        await crew.set(4, play)
        try await Task.sleep(for: .milliseconds(300))
        await crew.set(0, play)
        #expect(await lists.complaints(timeout: .seconds(30)) == [])
        #expect(lists.text.hasPrefix("40 games and ") && !lists.text.hasSuffix("updated in 0 steps"))
        await store.close()
    }

    @Test func `A list that doesn't follow its store is reported`() async throws {
        let store = try await open()
        try await Play(store: store, counters: Counters()).setUp()
        let lists = try WatchedLists(store)
        store.viewContext.automaticallyMergesChanges = false
        try await store.write("round") { context in
            let game = try context.fetch(Game.self, where: \.title == "Table 01").first
            game?.points += 7
            game?.players.first?.score += 7
        }
        let complaints = await lists.complaints(timeout: .milliseconds(30))
        #expect(
            complaints.first
                == "the list of games shows Table 01 (0) in row 1, where the store has Table 01 (7)")
        #expect(complaints.count == 2)
        await store.close()
    }

    @Test func `Missing and additional rows are differences, rows outside a window are not`() async throws {
        let store = try await open()
        try await Play(store: store, counters: Counters()).setUp()
        let all = try await store.read("games") {
            try $0.fetch(Game.self, order: .ascending(\.title)).map(\.row)
        }
        func agrees(_ first: Int, _ length: Int?, total: Int = 40, _ rows: ArraySlice<ListedRow>) -> Bool {
            let listing = Listing(first: first, length: length, total: total, rows: Array(rows))
            return listing.difference(from: all) == nil
        }
        #expect(agrees(0, nil, all[...]) && agrees(3, 6, all[3..<9]) && agrees(38, 6, all[38...]))
        #expect(agrees(41, 6, []) && agrees(40, 6, []))
        #expect(!agrees(3, 6, all[4..<10]))
        #expect(!agrees(3, 6, all[3..<8]) && !agrees(3, 6, []) && !agrees(0, nil, all.dropLast()))
        #expect(!agrees(0, nil, total: 39, all.dropLast()))
        #expect(!agrees(38, 6, all[37...]) && !agrees(38, 6, all[38..<39]))
        await store.close()
    }

    @Test func `Errors in a store are reported when its play ends`() async throws {
        let session = try await PlaySession(Settings(addresses: ["memory:"]), rows: 10)
        await session.play(4)
        try await Task.sleep(for: .milliseconds(200))
        await session.stop()
        try await session.store.write("cheat") { context in
            try context.fetch(Game.self).first?.points += 1
        }
        #expect(await session.end() == ["1 games don't add up"])
        let fair = try await PlaySession(Settings(addresses: ["memory:"]), rows: 10)
        await fair.play(4)
        try await Task.sleep(for: .milliseconds(200))
        #expect(await fair.end() == [])
    }

    @Test func `A play that can't be checked still ends and reports every failed check`() async throws {
        let session = try await PlaySession(Settings(addresses: ["memory:"]), rows: 10)
        let ending = Task { await session.end() }
        // Cancelled before it starts, so that every read throws.
        ending.cancel()
        let complaints = await ending.value
        #expect(complaints.count == 3)
        for beginning in ["the list of games can't", "the list of players can't", "the audit failed"] {
            #expect(complaints.contains { $0.hasPrefix(beginning) })
        }
        let error = await #expect(throws: StoreError.self) { try await session.store.read("after") { _ in } }
        #expect(error?.code == .closed)
    }

    @Test func `A report checks the lists`() async throws {
        #expect(try await Report(settings: Settings(addresses: ["memory:"]), seconds: 1).run())
    }

    @Test func `Errors stay visible after another store is opened`() {
        var state = ScreenState()
        state.recordError("1 games don't add up")
        state.recordError("1 games don't add up")
        state.notice = "opening …"
        state.reset()
        #expect(state.complaints == ["1 games don't add up"] && state.notice.isEmpty)
        let lines = Screen(state: state, width: 80, height: 24).lines.map { $0.map(\.text).joined() }
        #expect(lines[22].contains("1 games don't add up"))
        #expect(state.games == ScreenState().games)
    }
}
