import PostgresBackend
import SQLiteBackend
import StoreAdmin

/// The `storectl` of the Games example: every command, and it knows the example's model.
///
/// An application whose migrations run Swift names its stages here: `stages: ["V2": [.init(…)]]`.
@main enum GamesTool {
    static func main() {
        StoreAdmin.main(model: [Game.self, Player.self, Season.self], backends: [.sqlite, .postgres])
    }
}
