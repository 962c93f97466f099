import CBaseline

/// Games with the same number of players.
struct GameGraph {
    let games: Int
    let players = 100
    /// Whether the players are created one of each game in turn, so that the players of one game aren't stored next to each other.
    var isInTurns = false

    var playerCount: Int { games * players }

    /// Returns the index of a player's game, and the player's index in the game.
    func position(of player: Int) -> (game: Int, place: Int) {
        isInTurns ? (player % games, player / games) : (player / players, player % players)
    }

    var forC: baseline_graph {
        baseline_graph(games: Int64(games), players: Int64(players), in_turns: isInTurns ? 1 : 0)
    }
}
