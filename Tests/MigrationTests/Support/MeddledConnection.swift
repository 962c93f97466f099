import ChildProcesses
import ContextCore
import SQLStore

/// A connection before whose statements others do something.
final class MeddledConnection: RelayedConnection {
    private let meddle: (String) -> Void
    private let watch: (String, Int) -> Void

    /// - Parameters:
    ///   - watch: Hears each question after it is answered, and by how many rows.
    ///   - meddle: Hears each statement before it is run.
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
    /// Migrates, while others do something before some of the statements.
    ///
    /// - Parameter watching: Hears each question, and by how many rows it was answered.
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
