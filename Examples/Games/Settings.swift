import ContextCore
import Foundation
import PostgresBackend
import SQLiteBackend

/// What is played on, and how: what the keys of the terminal choose.
struct Settings: Sendable, Equatable {
    /// The stores to choose from, by their addresses.
    var addresses: [String]
    var chosen = 0
    var discipline = StoreOptions.Discipline.snapshot
    /// How many play at once.
    var threads = 8
    /// Whether they write at once, where the store takes many writers.
    var isConcurrent = false

    /// What the store is called on the screen: its address without what may be secret.
    var name: String {
        let address = addresses[chosen]
        guard let at = address.lastIndex(of: "@"), let scheme = address.firstRange(of: "://") else {
            return address
        }
        return address[..<scheme.upperBound] + "…" + address[at...].prefix { $0 != "?" }
    }

    func open(_ counters: Counters) async throws -> Store {
        try await Store.open(
            addresses[chosen], backends: [.sqlite, .postgres],
            model: [Game.self, Player.self, Season.self],
            options: StoreOptions(
                writes: isConcurrent ? .concurrent(limit: threads) : .ordered, discipline: discipline,
                operationLog: counters.log))
    }
}
