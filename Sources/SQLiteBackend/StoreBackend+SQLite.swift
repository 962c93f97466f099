#if SQLite
public import ContextCore
import Foundation
import SQLStore

extension StoreBackend {
    /// Opens stores in SQLite files: `sqlite:games.sqlite`, or `sqlite::memory:` for a store that ends with its coordinator.
    ///
    /// Options follow a question mark: `mode` (`ro`, `rw`, `rwc`), `journal` (`wal`, `delete`), `synchronous` (`off`, `normal`, `full`,
    /// `extra`), `busy_timeout` and `statement_timeout` (`30s`, `250ms`), `history` (`on`, `off`).
    ///
    /// Each tenant has a file beside the file of the address: for `sqlite:games.sqlite`, the file of the tenant “acme” is
    /// `games.acme.sqlite`.
    ///
    /// ```swift
    /// let store = try await Store.open("sqlite:games.sqlite?busy_timeout=5s", backends: [.sqlite], model: [Game.self])
    /// ```
    public static let sqlite = StoreBackend(
        name: "SQLite", schemes: ["sqlite"], optionKeys: SQLiteConfiguration.optionKeys,
        administration: Administration(
            pathsAreFiles: true, readingOptions: ["mode": "ro"],
            storeIdentity: { url in URL(fileURLWithPath: url.path).resolvingSymlinksInPath().path },
            clientLibrary: ("SQLite", SQLiteLibrary.version)
        ) { url in try SQLiteInspector(SQLiteConfiguration(url)) }
        .readingForeignRows { url in try ForeignDatabase(SQLiteConfiguration(url)) },
        migrationSupport: MigrationSupport(
            migratesOnOpening: true, plan: offlinePlan,
            open: { url, _ in try SQLMigrator(SQLiteMigrationConnection(SQLiteConfiguration(url))) },
            adopt: { url, model in
                try StoreAdoption(model: model, configuration: SQLiteConfiguration(url)).adopt()
            },
            examine: { model in try ModelExamination(model, .sqlite).findings }),
        tenancy: .files
    ) { url, model, options in
        var configuration = try SQLiteConfiguration(url)
        configuration.statementLog = options.statementLog
        return try SQLiteCoordinator(model: model, configuration)
    }

    @Sendable private static func offlinePlan(_ transitions: [ModelTransition]) throws -> MigrationPlan {
        try MigrationScript.offlinePlan(transitions, .sqlite)
    }
}
#endif
