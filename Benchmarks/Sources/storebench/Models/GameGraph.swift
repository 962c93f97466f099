import CBaseline

/// Games that have as many players each.
struct GameGraph {
    let games: Int
    let players = 100
    /// Whether players are made one for each game after the other, so that those of one game lie far from each other.
    var isInTurns = false

    var playerCount: Int { games * players }

    /// Which game a player is of, and which of its players it is.
    func seat(of player: Int) -> (game: Int, place: Int) {
        isInTurns ? (player % games, player / games) : (player / players, player % players)
    }

    var forC: baseline_graph {
        baseline_graph(games: Int64(games), players: Int64(players), in_turns: isInTurns ? 1 : 0)
    }
}
