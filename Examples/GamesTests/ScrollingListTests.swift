import ContextCore
import Testing

@testable import Games

/// A list in a small window whose rows are deleted while the selection stays.
struct FollowedListTests {
    @MainActor @Test func `A window whose rows were deleted shows the remaining ones`() async throws {
        let store = try await Store.open(
            "memory:", backends: [], model: [Game.self, Player.self, Season.self])
        let context = store.viewContext
        let players = (0..<12).map { Player(in: context, name: "\($0)", score: $0) }
        try context.save()
        let list = try ScrollingList(FetchRequest<Player>(order: [.ascending(\.score)]), rows: 3, in: context)
        try list.moveSelection(100)
        func shown() throws -> ScreenState.List {
            try list.shown(title: "players") { .init(name: $0.name, number: "") }
        }
        #expect(try shown().lines.map(\.name) == ["9", "10", "11"])
        #expect(list.selectedObject === players[11])
        for player in players[4...] { context.delete(player) }
        context.processPendingChanges()
        let left = try shown()
        #expect(left.lines.map(\.name) == ["1", "2", "3"])
        #expect(left.first == 1 && left.selected == 3 && list.selectedObject === players[3])
        for player in players[..<4] { context.delete(player) }
        context.processPendingChanges()
        #expect(try shown().lines.isEmpty)
        #expect(list.selectedObject == nil)
        await store.close()
    }
}
