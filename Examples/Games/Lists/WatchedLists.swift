import ContextCore

/// Lists of the games and of one game's players that follow a store during play.
@MainActor final class WatchedLists {
    private static let gameRequest = FetchRequest<Game>(order: [.descending(\.points), .ascending(\.title)])
    private static let playerRequest = FetchRequest<Player>(
        where: \.game?.title == "Table 01", order: [.descending(\.score), .ascending(\.name)])

    private let store: Store
    private let games: SteppedList<Game>
    private let players: SteppedList<Player>

    init(_ store: Store) throws {
        self.store = store
        games = try SteppedList(Self.gameRequest, in: store.viewContext) { $0.row }
        players = try SteppedList(Self.playerRequest, in: store.viewContext) { $0.row }
    }

    /// The sizes of the lists and the number of steps, for the report.
    var text: String {
        "\(games.listing.total) games and \(players.listing.total) players of one, "
            + "updated in \(games.steps + players.steps) steps"
    }

    /// Returns messages about differences between the lists and the store; called after play has ended.
    func complaints(timeout: Duration = .seconds(5)) async -> [String] {
        let (gameRequest, playerRequest) = (Self.gameRequest, Self.playerRequest)
        let complaints = [
            await Listing.complaint(about: "games", timeout: timeout, shown: { games.listing }) {
                [store] in
                try await store.read("games") { try $0.fetch(gameRequest).map(\.row) }
            },
            await Listing.complaint(about: "players", timeout: timeout, shown: { players.listing }) {
                [store] in
                try await store.read("players") { try $0.fetch(playerRequest).map(\.row) }
            },
        ]
        let missteps = [games.failedStep, players.failedStep].compactMap { $0 }
        return complaints.compactMap { $0 }
            + missteps.map { "a list received a step that it can't apply: \($0)" }
    }
}
