import ContextCore
import Foundation

#if SQLite
import SQLiteBackend
#endif
#if Postgres
import PostgresBackend
#endif

/// The work of the process on the store.
struct Work {
    let url: String
    let name: String
    let count: Int

    /// The number of objects of a graph.
    private static let graphSize = 100

    func open() async throws -> Store {
        try await Store.open(url, backends: backends, model: StoreUserModel.classes)
    }

    var backends: [StoreBackend] {
        var backends: [StoreBackend] = []
        #if SQLite
        backends.append(.sqlite)
        #endif
        #if Postgres
        backends.append(.postgres)
        #endif
        return backends
    }

    func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        guard write(1, bytes, bytes.count) == bytes.count else { exit(74) }
    }

    /// Saves graphs of a game and its players, and prints the title of each one that was saved.
    ///
    /// Each save replaces the board of the previous game. Boards are stored externally.
    func saveGraphs() async throws {
        let store = try await open()
        say("open")
        for number in 0..<count {
            let title = "\(name)-\(number)"
            let previous = "\(name)-\(number - 1)"
            try await store.write("graph") { context in
                let game = Game(in: context, title: title)
                game.board = Self.board(of: title, 200)
                if let before = try context.fetch(Game.self, where: \.title == previous).first {
                    before.board = Self.board(of: previous, 300)
                }
                for index in 1..<Self.graphSize {
                    _ = Player(in: context, name: "\(index)", score: number, game: game)
                }
            }
            say(title)
        }
        await store.close()
    }

    private static func board(of title: String, _ count: Int) -> Data {
        Data(String(repeating: title, count: count).utf8)
    }

    /// Saves single objects, and prints the duration of the slowest save in milliseconds at the end.
    func saveMany() async throws {
        let store = try await open()
        say("open")
        guard readLine() != nil else { return }
        var slowest = Duration.zero
        for number in 0..<count {
            let time = try await ContinuousClock().measure {
                try await store.write("save") { context in
                    _ = Player(in: context, name: "\(name)-\(number)", score: number)
                }
            }
            slowest = max(slowest, time)
        }
        say("slowest \(Int(slowest / .milliseconds(1)))")
        await store.close()
    }

    /// Reads until it is killed; each read must find complete graphs, and no fewer than the one before.
    func read() async throws {
        let store = try await open()
        say("open")
        var last = 0
        while true {
            let (games, players) = try await store.read("count") { context in
                (try context.count(Game.self), try context.count(Player.self))
            }
            guard players >= last, players % (Self.graphSize - 1) == 0 || games == 0 else {
                say("torn: \(players) players in \(games) games after \(last)")
                exit(1)
            }
            last = players
        }
    }

    /// Holds the store's write lock until its input ends.
    func hold() async throws {
        let store = try await open()
        try await store.write("hold") { context in
            _ = Game(in: context, title: name)
            try context.save()
            say("held")
            _ = readLine()
        }
        say("released")
        await store.close()
    }
}
