import PostgresBackend
import SQLiteBackend
import StoreAdmin

/// A `storectl` that has every command and the model of the Games example.
///
/// An application with Swift migration stages passes them here: `stages: ["V2": [.init(…)]]`.
@main enum GamesTool {
    static func main() {
        StoreAdmin.main(model: [Game.self, Player.self, Season.self], backends: [.sqlite, .postgres])
    }
}
