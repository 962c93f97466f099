import ChildProcesses
import ContextCore
import SQLStore

/// A connection that fails before one of its statements, like that of a process that is killed.
///
/// It doesn't run anything that the process would do afterwards: nothing is rolled back or unlocked until the connection is closed.
final class DyingConnection: RelayedConnection {
    private var hasDied = false
    private let deaths: Deaths?
    private let isDoubtful: Bool
    private var left: Int

    /// - Parameters:
    ///   - count: The number of statements to run, including those that begin and end transactions.
    ///   - deaths: The counter of killed connections.
    ///   - isDoubtful: Whether the connection survives, and the disk fails instead after that many transactions and one more are committed.
    init(
        _ connection: any MigrationConnection, after count: Int, _ deaths: Deaths? = nil,
        isDoubtful: Bool = false
    ) {
        self.deaths = deaths
        self.isDoubtful = isDoubtful
        left = count
        super.init(connection)
    }

    /// Whether the disk has failed.
    var hasDoubted: Bool { isDoubtful && left < 0 }

    static let doubt = StoreError(.inputOutput, "The disk failed.")
    static let death = StoreError(.database, "The process was killed.")

    override var isDead: Bool { hasDied }

    override func willLook() throws(StoreError) {
        if hasDied { throw Self.death }
    }

    override func willTurn() throws(StoreError) { try step() }
    override func willRun(_ sql: String) throws(StoreError) { try step() }

    override func hasCommitted() throws(StoreError) {
        guard isDoubtful else { return }
        left -= 1
        if left == -1 { throw Self.doubt }
    }

    private func step() throws(StoreError) {
        try willLook()
        if isDoubtful { return }
        if left == 0 {
            hasDied = true
            deaths?.happen()
            throw Self.death
        }
        left -= 1
    }
}

extension MigratedStore {
    /// Migrates while the disk fails after one of the commits; returns whether it has failed.
    func migrateDoubting(
        after count: Int, _ versions: [ModelVersion], _ options: MigrationOptions
    ) async throws -> Bool {
        try await onThread { [url] in
            let doubtful = try Self.connect(.sqlite, url, options) {
                DyingConnection($0, after: count, isDoubtful: true)
            }
            let migrator = SQLMigrator(doubtful)
            defer { migrator.close() }
            do {
                _ = try migrator.migrate(to: ModelVersions(versions), options)
            } catch {
                if !doubtful.hasDoubted { throw error }
            }
            return doubtful.hasDoubted
        }
    }

    /// Migrates with a simulated process that is killed before one of its statements; returns whether it was killed.
    func migrateDying(
        after count: Int, _ versions: [ModelVersion], _ options: MigrationOptions = MigrationOptions()
    ) async throws -> Bool {
        try await onThread { [kind, url] in
            let dying = try Self.connect(kind, url, options) { DyingConnection($0, after: count) }
            let migrator = SQLMigrator(dying)
            defer { migrator.close() }
            do {
                _ = try migrator.migrate(to: ModelVersions(versions), options)
            } catch {
                if !dying.isDead { throw error }
            }
            return dying.isDead
        }
    }
}
