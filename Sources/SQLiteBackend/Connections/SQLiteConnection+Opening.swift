#if SQLite
import ContextCore

extension SQLiteConnection {
    /// Opens a connection to a store and configures it.
    static func open(
        _ access: Access, _ file: StoreFile, _ configuration: SQLiteConfiguration
    ) throws(StoreError) -> SQLiteConnection {
        let connection = try SQLiteConnection(
            path: file.path, access: access, timeout: configuration.busyTimeout,
            testHooks: configuration.testHooks,
            recovers: configuration.mode != .read, statementTimeout: configuration.statementTimeout,
            trace: configuration.statementLog.map { StatementTrace($0, configuration.databaseName) })
        try connection.configure(configuration)
        return connection
    }
}
#endif
