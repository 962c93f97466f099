import ContextCore
import Hummingbird
import Model

/// Reads games, and enters their results.
struct GameRoutes: Sendable {
    let club: Club

    func add(to group: RouterGroup<ClubRequestContext>) {
        group.get(":id", use: show)
        group.patch(":id", use: enterResult)
    }

    private func show(_ request: Request, _ context: ClubRequestContext) async throws -> SnapshotBody<Game> {
        let id = try club.id(of: Game.self, in: context)
        return SnapshotBody(try await club.store.read("game") { try $0.existing(Game.self, id).snapshot() })
    }

    /// Saves the result of a game together with the players' scores; it may replace an earlier result.
    private func enterResult(
        _ request: Request, _ context: ClubRequestContext
    ) async throws -> SnapshotBody<Game> {
        let id = try club.id(of: Game.self, in: context)
        let change = try await request.decode(as: GameChange.self, context: context)
        guard let result = Outcome(rawValue: change.result) else {
            let known = Outcome.allCases.map(\.rawValue).joined(separator: ", ")
            throw HTTPError(.unprocessableContent, message: "The result must be one of \(known).")
        }
        let game = try await club.store.write("enter result") { context in
            let game = try context.existing(Game.self, id)
            game.white.score += result.points.white - game.result.points.white
            game.black.score += result.points.black - game.result.points.black
            game.result = result
            return game.snapshot()
        }
        return SnapshotBody(game)
    }
}

/// The body of a request that enters the result of a game.
private struct GameChange: Decodable, Sendable {
    let result: String
}

extension Outcome {
    fileprivate var points: (white: Double, black: Double) {
        switch self {
        case .open: (0, 0)
        case .white: (1, 0)
        case .black: (0, 1)
        case .draw: (0.5, 0.5)
        }
    }
}
