import ContextCore

/// The object graph over a store.
struct StoreSide: Side {
    let store: Store
    let before: (Store) async throws -> Void
    /// Runs the database's postponed maintenance.
    var runMaintenance: () throws -> Void = {}
    let work: (Store, Stopwatch) async throws -> Int64

    func prepare() async throws {
        try await before(store)
        try runMaintenance()
    }

    func run(_ watch: Stopwatch) async throws -> Int64 {
        watch.start()
        let result = try await work(store, watch)
        watch.stop()
        return result
    }

    func stored() async throws -> Int64 {
        try await store.read("stored") { context in
            let items = try context.fetch(Item.self).reduce(0) { $0 &+ $1.checksum }
            let photos = try context.fetch(Photo.self).reduce(0) { $0 &+ $1.checksum }
            let articles = try context.fetch(Article.self).reduce(0) { $0 &+ $1.checksum }
            return items &+ photos &+ articles &+ (try context.graphChecksum())
        }
    }
}

extension ObjectContext {
    /// Fetches all games with their players, and returns the checksum.
    func graphChecksum() throws -> Int64 {
        try fetch(Game.self, prefetching: [\.players]).reduce(0) { sum, game in
            game.players.reduce(sum) { $0 &+ Int64($1.score) &+ 1 }
        }
    }
}

extension Store {
    /// Empties the store.
    func clear() async throws {
        try await write("clear") { context in
            for item in try context.fetch(Item.self) { context.delete(item) }
        }
        try await write("clear games") { context in
            for game in try context.fetch(Game.self) { context.delete(game) }
        }
    }

    /// Inserts articles, or updates those with the same titles, and returns how many it changed.
    func upsert(_ values: [ItemValues]) async throws -> Int64 {
        try await write("upsert") { context in
            let result = try context.upsert(Article.self, matching: \.title, from: values) {
                [
                    .set(\.uuid, to: $0.uuid), .set(\.title, to: $0.title), .set(\.score, to: $0.score),
                    .set(\.created, to: $0.created), .set(\.count, to: $0.count),
                ]
            }
            return Int64(result.count)
        }
    }

    /// Replaces the contents of the store with the given rows.
    func fill(with values: [ItemValues]) async throws {
        try await clear()
        try await insert(values)
    }

    /// Inserts an object for each row in one save.
    func insert(_ values: [ItemValues]) async throws {
        try await write("insert") { context in
            for item in values {
                _ = Item(
                    in: context, uuid: item.uuid, title: item.title, score: item.score, created: item.created,
                    count: item.count)
            }
        }
    }

    /// Returns the identifiers of the items, in the order of their rows.
    func itemIDs() async throws -> [ObjectID] {
        try await read("ids") {
            try $0.fetchIDs(FetchRequest<Item>(where: nil, order: [.ascending(\.created)]))
        }
    }

    /// Creates games with players in one save.
    func create(_ graph: GameGraph) async throws {
        try await write("create") { context in
            let games = (0..<graph.games).map { Game(in: context, title: "Game \($0)") }
            for number in 0..<graph.playerCount {
                let (game, place) = graph.position(of: number)
                _ = Player(in: context, name: "Player \(place)", score: place, game: games[game])
            }
        }
    }
}
