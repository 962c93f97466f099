import ChildProcesses
import ContextCore
import SQLStore

/// A connection that dies before one of its statements, as that of a process does which is killed there.
///
/// What the process would do afterwards, it can't: nothing is rolled back or unlocked until the connection is closed.
final class DyingConnection: RelayedConnection {
    private var hasDied = false
    private let deaths: Deaths?
    private let isDoubtful: Bool
    private var left: Int

    /// - Parameters:
    ///   - count: How many statements are run, those that begin and end transactions included.
    ///   - deaths: Hears of its death.
    ///   - isDoubtful: Whether it lives on, and the disk fails instead once that many transactions and one more are committed.
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
    /// Migrates while the disk fails once one of the transactions is committed; tells whether it came to that.
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

    /// Migrates with a process that is killed before one of its statements; tells whether it came to that.
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
