#if SQLite
import CSQLite

/// The functions that are registered with every connection.
///
/// They call the same Swift code as the in-memory evaluator, so that both give the same results.
enum SQLiteFunctions {
    private static let functions = NumberFunctions.all + TextFunctions.all
    private static let aggregates = RegisteredAggregate.all

    /// Registers all functions with a connection and returns the first result code that is not `SQLITE_OK`.
    static func register(on connection: OpaquePointer) -> Int32 {
        for function in functions {
            let result = function.register(on: connection)
            if result != SQLITE_OK { return result }
        }
        for aggregate in aggregates {
            let result = aggregate.register(on: connection)
            if result != SQLITE_OK { return result }
        }
        return SQLITE_OK
    }
}
#endif
