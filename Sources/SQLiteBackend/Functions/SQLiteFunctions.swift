#if SQLite
import CSQLite

/// The functions that every connection gets.
///
/// They call the same Swift code as the evaluator in memory, so that both give the same answers.
enum SQLiteFunctions {
    private static let functions = NumberFunctions.all + TextFunctions.all
    private static let aggregates = RegisteredAggregate.all

    /// Registers all of them with a connection; returns SQLite's first result that is not `SQLITE_OK`.
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
