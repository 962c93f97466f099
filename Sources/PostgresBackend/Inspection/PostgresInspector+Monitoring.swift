#if Postgres
import ContextCore
import Foundation
import SQLStore

extension PostgresInspector: StoreMonitor {
    func activity(_ statements: StatementDetail) throws -> StoreActivity {
        let connection = try connection()
        let storeKey = try storeKey(connection)
        let query = ActivityQueries(schema: configuration.schema, storeKey: storeKey.value)
        let now = try connection.run(
            "SELECT \(ActivityQueries.microseconds("pg_catalog.clock_timestamp()"))")
        var activity = StoreActivity(time: now.date(0, 0) ?? Date())
        activity.limits = storeKey.limits
        try SessionActivity(connection: connection, queries: query).add(to: &activity, statements)
        try ServerActivity(connection: connection, queries: query).add(to: &activity)
        if statements != .none {
            try StatementStatistics(connection: connection).add(to: &activity, statements)
        }
        return activity
    }

    /// Returns the key of the store's advisory locks; nil if this role may not read the store, or the schema contains none.
    ///
    /// It doesn't read the table of models, which a migration locks.
    private func storeKey(_ connection: PostgresConnection) throws -> (value: Int64?, limits: [String]) {
        do {
            guard try hasStore() else { return (nil, []) }
            return (PostgresStore.lockKey(of: try StoreCatalog(connection: connection).storeID()), [])
        } catch StoreError.Code.readOnly {
            return (
                nil,
                [
                    "This role may not read the store, so that the locks of migrations and unfinished saves are hidden. To see them, grant it SELECT on the store's tables."
                ]
            )
        }
    }
}
#endif
