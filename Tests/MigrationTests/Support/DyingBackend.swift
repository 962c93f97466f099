import ContextCore
import SQLStore
import Synchronization

@testable import SQLiteBackend

/// The SQLite backend of a simulated program that is killed before one of a migration's statements.
struct DyingBackend {
    /// Whether the program was killed.
    var isDead: Bool { deaths.count > 0 }

    private let deaths = Deaths()
    private let count: Int

    /// - Parameter count: The number of statements to run before that.
    init(after count: Int) {
        self.count = count
    }

    var backend: StoreBackend {
        StoreBackend(
            name: "SQLite", schemes: ["sqlite"],
            migrationSupport: .init(
                migratesOnOpening: true,
                plan: { try MigrationScript.offlinePlan($0, .sqlite) },
                open: { [count, deaths] url, options in
                    SQLMigrator(
                        try MigratedStore.connect(.sqlite, url, options) {
                            DyingConnection($0, after: count, deaths)
                        })
                })
        ) { url, model, _ in try SQLiteCoordinator(model: model, SQLiteConfiguration(url)) }
    }
}

/// Counts the connections that were killed.
final class Deaths: Sendable {
    private let number = Mutex(0)

    var count: Int { number.withLock { $0 } }

    func happen() { number.withLock { $0 += 1 } }
}
