import ContextCore
import Foundation
import PostgresBackend
import SQLiteBackend

/// The store and how it is used; keys change both.
struct Settings: Sendable, Equatable {
    /// The addresses of the stores to choose from.
    var addresses: [String]
    var selectedIndex = 0
    var discipline = StoreOptions.Discipline.snapshot
    /// The number of tasks that play.
    var threads = 8
    /// Whether tasks write concurrently, if the store allows many writers.
    var isConcurrent = false

    /// The address of the store without user, password and parameters, for the screen.
    var name: String {
        let address = addresses[selectedIndex]
        guard let at = address.lastIndex(of: "@"), let scheme = address.firstRange(of: "://") else {
            return address
        }
        return address[..<scheme.upperBound] + "…" + address[at...].prefix { $0 != "?" }
    }

    func open(_ counters: Counters) async throws -> Store {
        try await Store.open(
            addresses[selectedIndex], backends: [.sqlite, .postgres],
            model: [Game.self, Player.self, Season.self],
            options: StoreOptions(
                writes: isConcurrent ? .concurrent(limit: threads) : .ordered, discipline: discipline,
                operationLog: counters.log))
    }
}
