/// A coordinator that reports the name and the use of its database, for metrics and traces.
public protocol ReportingCoordinator: StoreCoordinator {
    /// The name of the database.
    var databaseName: DatabaseName { get }
    /// The current use of the database's connections and caches.
    ///
    /// It may be called on any thread at any time, and must not wait for a session.
    var databaseStatistics: DatabaseStatistics { get }
}
