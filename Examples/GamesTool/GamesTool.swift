import PostgresBackend
import SQLiteBackend
import StoreAdmin

/// A `storectl` that has every command and the model of the Games example.
///
/// An application with migration stages in Swift also passes `stages: ["V2": [.init(…)]]`; one with a version, `version: "2.1"`.
@main enum GamesTool {
    static func main() {
        StoreAdmin.main(model: [Game.self, Player.self, Season.self], backends: [.sqlite, .postgres])
    }
}
