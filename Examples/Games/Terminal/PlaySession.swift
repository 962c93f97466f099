import ContextCore
import Foundation

/// An open store, the play on it, and the lists that follow it.
@MainActor final class PlaySession {
    let store: Store
    private let play: Play
    private let counters = Counters()
    private let crew = Crew()
    private let games: ScrollingList<Game>
    private var players: ScrollingList<Player>
    /// The game whose players are shown.
    private var shownGame: ObjectID?
    private var rows: Int
    private(set) var isPlaying = false
    /// The counts at recent ticks, ten per second.
    private var history: [Counters.Counts] = []
    private var ticks = 0

    init(_ settings: Settings, rows: Int) async throws {
        self.rows = rows
        store = try await settings.open(counters)
        play = Play(store: store, counters: counters)
        try await play.setUp()
        games = try ScrollingList(
            FetchRequest(order: [SortKey("title")]), rows: rows, in: store.viewContext)
        players = try Self.players(of: nil, rows, store.viewContext)
    }

    private static func players(of game: ObjectID?, _ rows: Int, _ context: ObjectContext) throws
        -> ScrollingList<Player>
    {
        let object = try game.map { try context.object(with: $0, as: Game.self) }
        let request = FetchRequest<Player>(
            where: \.game == object, order: [.descending(\.score), .ascending(\.name)])
        return try ScrollingList(request, rows: rows, in: context)
    }

    // MARK: Playing

    func play(_ threads: Int) async {
        isPlaying = true
        await crew.set(threads, play)
    }

    func stop() async {
        isPlaying = false
        await crew.set(0, play)
    }

    /// Stops the play, checks the store and the lists, closes the store, and returns the errors.
    func end() async -> [String] {
        await stop()
        let complaints = await listComplaints() + play.complaints()
        await store.close()
        return complaints
    }

    /// The differences between the lists on the screen and the store.
    private func listComplaints() async -> [String] {
        let (gameRequest, playerRequest) = (games.request, players.request)
        return [
            await Listing.complaint(about: "games", shown: { games.listing(\.row) }) { [store] in
                try await store.read("games") { try $0.fetch(gameRequest).map(\.row) }
            },
            await Listing.complaint(about: "players", shown: { players.listing(\.row) }) { [store] in
                try await store.read("players") { try $0.fetch(playerRequest).map(\.row) }
            },
        ].compactMap { $0 }
    }

    // MARK: Showing

    /// Updates the state with the counts of the last tenth of a second.
    func tick(_ state: inout ScreenState) {
        let counts = counters.counts
        history.append(counts)
        if history.count > 600 { history.removeFirst(300) }
        state.counts = counts
        state.waits = counters.recentWaits
        state.isPlaying = isPlaying
        state.queueLength = store.operations.count { !$0.isRunning }
        let earlier = history.suffix(11).first ?? counts
        state.savesPerSecond = counts.saves - earlier.saves
        state.pulse = zip(history, history.dropFirst()).map { $1.operations - $0.operations }
        ticks += 1
        if ticks % 10 == 1 { state.memory = ResidentMemory.now }
        if ticks % 50 == 0 {
            Task { [play, counters] in
                do { try await play.pruneHistory() } catch { counters.recordFailure(error) }
            }
        }
        show(&state)
    }

    /// Updates the lists in the state.
    func show(_ state: inout ScreenState) {
        do {
            state.isPlaying = isPlaying
            state.games = try games.shown(title: "games", \.row.line)
            let game = games.selectedObject
            if game?.objectID != shownGame {
                shownGame = game?.objectID
                players = try Self.players(of: shownGame, rows, store.viewContext)
            }
            state.players = try players.shown(title: game?.title ?? "players", \.row.line)
        } catch {
            state.recordError("\(error)")
        }
    }

    /// Moves the selection of the focused list.
    func moveSelection(_ change: Int, _ state: inout ScreenState) {
        do {
            switch state.focus {
            case .games: try games.moveSelection(change)
            case .players: try players.moveSelection(change)
            }
        } catch {
            state.recordError("\(error)")
        }
    }

    /// Sets the number of visible rows of the lists.
    func setRows(_ rows: Int, _ state: inout ScreenState) {
        if rows == self.rows { return }
        self.rows = rows
        do {
            try games.setRows(rows)
            try players.setRows(rows)
        } catch {
            state.recordError("\(error)")
        }
        show(&state)
    }
}
