import ChildProcesses
import ContextCore
import SQLStore

/// A connection with callbacks before statements and after queries, which can change the database in between.
final class MeddledConnection: RelayedConnection {
    private let meddle: (String) -> Void
    private let watch: (String, Int) -> Void

    /// - Parameters:
    ///   - watch: Called after each query with its SQL and the number of rows.
    ///   - meddle: Called before each statement with its SQL.
    init(
        _ connection: any MigrationConnection, watch: @escaping (String, Int) -> Void = { _, _ in },
        _ meddle: @escaping (String) -> Void
    ) {
        self.watch = watch
        self.meddle = meddle
        super.init(connection)
    }

    override func willRun(_ sql: String) { meddle(sql) }
    override func hasAnswered(_ sql: String, _ count: Int) { watch(sql, count) }
}

extension MigratedStore {
    /// Migrates, with a callback before each statement that can change the database.
    ///
    /// - Parameter watching: Called after each query with its SQL and the number of rows.
    func migrate(
        _ versions: [ModelVersion], meddling: @escaping @Sendable (String) -> Void = { _ in },
        watching: @escaping @Sendable (String, Int) -> Void = { _, _ in }
    ) async throws {
        let options = MigrationOptions()
        try await onThread { [kind, url] in
            let migrator = SQLMigrator(
                try Self.connect(kind, url, options) { MeddledConnection($0, watch: watching, meddling) })
            defer { migrator.close() }
            _ = try migrator.migrate(to: ModelVersions(versions), options)
        }
    }
}
