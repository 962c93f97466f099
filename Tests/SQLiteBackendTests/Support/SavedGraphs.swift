#if SQLite
import ContextCore
import Foundation
import Testing

@testable import SQLiteBackend

/// Saves graphs of one game with players, and checks afterwards which of them the store contains.
struct SavedGraphs {
    /// The number of players of a graph.
    static let size = 20
    /// Returns the key of a graph's first player.
    static func firstPlayer(_ number: Int) -> Int64 { Int64(number * 1000) }

    let model: ObjectModel

    /// Returns the changes for a graph: new rows, and an update of the first game.
    func changes(_ number: Int) throws -> ChangeSet {
        var changes = ChangeSet(author: "graphs", contextName: "\(number)")
        let title = StoredValue.string("Game \(number)")
        changes.inserts = [
            .init(
                entityIndex: try model.index("Game"),
                rows: try model.rows("Game", [(Int64(number), ["title": title])])),
            .init(
                entityIndex: try model.index("Player"),
                rows: try model.rows(
                    "Player",
                    (0..<Self.size).map {
                        let text = String(repeating: "\(number) ", count: 20 + $0)
                        return (
                            Self.firstPlayer(number) + Int64($0),
                            [
                                "name": .string(text), "score": .int(Int64(number)),
                                "game": .int(Int64(number)),
                            ]
                        )
                    })),
        ]
        return changes
    }

    /// Returns an update of the players of a graph that was saved and not changed since.
    func update(of number: Int) throws -> ChangeSet.Update {
        let player = try model.index("Player")
        let keys = (0..<Int64(Self.size)).map { Self.firstPlayer(number) + $0 }
        let text = StoredValue.string(String(repeating: "changed ", count: 100))
        let name = model.layouts[player].columns.firstIndex { $0.name == "name" } ?? 0
        return .init(
            entityIndex: player, columns: [name],
            rows: try model.rows("Player", version: 2, keys.map { ($0, ["name": text]) }),
            baseVersions: keys.map { _ in 1 })
    }

    /// Saves a graph, and optionally updates another one; throws the error of the save.
    func save(_ number: Int, to coordinator: SQLiteCoordinator, updating other: Int? = nil) throws {
        let session = try coordinator.openWriteSession(SessionOptions(identifier: "graph \(number)"))
        defer { session.end() }
        var changes = try changes(number)
        if let other { changes.updates = [try update(of: other)] }
        let receipt = try session.apply(changes)
        #expect(receipt.conflicts.isEmpty)
        _ = try session.commit()
    }

    /// The contents of a store.
    struct Found {
        let graphs: Set<Int>
        /// Whether the file is intact, and every graph in it has all its rows and its history record.
        let isWhole: Bool
    }

    /// Reads the contents of a store.
    static func found(_ path: String) throws -> Found {
        let connection = try SQLiteConnection(path: path, access: .readAndWrite, timeout: .seconds(5))
        defer { connection.close() }
        let isSound =
            try connection.text("PRAGMA integrity_check") == "ok"
            && connection.text("PRAGMA foreign_key_check") == nil
        let games = Set(try connection.integers("SELECT _id FROM game"))
        let whole = Set(
            try connection.integers("SELECT game_id FROM player GROUP BY game_id HAVING count(*) = \(size)"))
        let any = Set(try connection.integers("SELECT DISTINCT game_id FROM player"))
        let saved = Set(try connection.integers("SELECT CAST(context AS INTEGER) FROM _store_history"))
        return Found(
            graphs: Set(whole.map { Int($0) }),
            isWhole: isSound && any == whole && games == whole && saved == whole)
    }

    /// Returns the numbers of the graphs in a store; records an issue about damaged or incomplete ones.
    static func verify(_ path: String, _ comment: Comment = "") throws -> Set<Int> {
        let found = try found(path)
        #expect(found.isWhole, comment)
        return found.graphs
    }
}

extension SQLiteConnection {
    func integers(_ sql: String) throws -> [Int64] {
        let statement = try statement(sql)
        defer { statement.reset() }
        var numbers: [Int64] = []
        while try statement.step() { numbers.append(statement.integer(0)) }
        return numbers
    }
}
#endif
