import ContextCore
import Foundation
import Testing

/// Drift: manual changes to tables are reported.
struct DriftTests {
    private static func model() throws -> ObjectModel {
        try ObjectModel(entities: [
            .init(
                "Game", attributes: [.init("title", .string), .init("stars", .int32, isOptional: true)],
                relationships: [.init("players", to: "Player", inverse: "game", isToMany: true)],
                indexes: [.init([.init("stars", isDescending: true)])], uniqueConstraints: [.init(["title"])]),
            .init("Player", relationships: [.init("game", to: "Game", inverse: "players")]),
        ])
    }

    /// The changes, and the expected reports.
    static let changes: [StoreKind: [(sql: String, words: String)]] = [
        .sqlite: [
            ("DROP INDEX game_stars", "The index game_stars of game is missing."),
            (
                "DROP INDEX game_stars; CREATE INDEX game_stars ON game (stars)",
                "The index game_stars of game is (stars COLLATE BINARY) instead of (stars DESC COLLATE BINARY)."
            ),
            (
                "DROP INDEX game_title_unique; CREATE INDEX game_title_unique ON game (title)",
                "The index game_title_unique of game is (title COLLATE BINARY) instead of UNIQUE (title COLLATE BINARY)."
            ),
            ("ALTER TABLE game ADD COLUMN mine TEXT", "The column game.mine is not in the model."),
            (
                "DROP INDEX game_stars; ALTER TABLE game DROP COLUMN stars; ALTER TABLE game ADD COLUMN stars TEXT NOT NULL DEFAULT ''",
                "The column game.stars is TEXT NOT NULL instead of INTEGER."
            ),
            (
                "DROP INDEX player_game_id; ALTER TABLE player DROP COLUMN game_id; ALTER TABLE player ADD COLUMN game_id INTEGER",
                "The table player lacks FOREIGN KEY (game_id) REFERENCES game (_id) ON DELETE NO ACTION ON UPDATE NO ACTION."
            ),
            ("CREATE TABLE _new_game (a)", "The table _new_game is left over from a migration."),
        ],
        .postgres: [
            ("DROP INDEX game_stars", "The index game_stars of game is missing."),
            (
                "DROP INDEX game_stars; CREATE INDEX game_stars ON game (stars)",
                "The index game_stars of game is btree (stars) instead of btree (stars DESC)."
            ),
            (
                "DROP INDEX game_title_unique; CREATE INDEX game_title_unique ON game (title)",
                "The index game_title_unique of game is btree (title) instead of UNIQUE btree (title)."
            ),
            (
                "ALTER TABLE game ALTER stars TYPE bigint",
                "The column game.stars is bigint instead of integer."
            ),
            (
                "ALTER TABLE game ALTER title DROP NOT NULL, ALTER stars SET DEFAULT 3",
                "The column game.stars is integer DEFAULT 3 instead of integer."
            ),
            (
                "ALTER TABLE game ALTER title TYPE text COLLATE \"default\"",
                "The column game.title is text NOT NULL instead of text COLLATE C NOT NULL."
            ),
            (
                "ALTER TABLE player DROP CONSTRAINT player_game_id_fkey",
                "The table player lacks FOREIGN KEY (game_id) REFERENCES game(_id) DEFERRABLE INITIALLY DEFERRED."
            ),
            (
                "ALTER TABLE player DROP CONSTRAINT player_game_id_fkey, ADD FOREIGN KEY (game_id) REFERENCES game (_id) ON DELETE CASCADE",
                "The table player has an unexpected FOREIGN KEY (game_id) REFERENCES game(_id) ON DELETE CASCADE."
            ),
            (
                "ALTER TABLE game ADD CONSTRAINT mine CHECK (stars > 0) NOT VALID",
                "The table game has an unexpected CHECK ((stars > 0)) NOT VALID."
            ),
            (
                "CREATE INDEX _moved_0 ON game (stars)",
                "The index _moved_0 of game is left over from a migration."
            ),
        ],
    ]

    @Test(arguments: StoreKind.present)
    func `Differences from the tables of a new store are reported`(_ kind: StoreKind) async throws {
        for change in Self.changes[kind] ?? [] {
            let store = try MigratedStore(kind)
            try await store.write(Self.model()) { try $0.make("Game", ["title": .string("a")]) }
            #expect(try store.drift() == [])
            for statement in change.sql.split(separator: "; ") { try store.sql(String(statement)) }
            let sentences = try store.drift()
            #expect(sentences.contains(change.words), "\(sentences)")
        }
    }
}
