#if SQLite
import CSQLite
import ContextCore
import SQLStore

extension SessionReader {
    /// Runs an aggregate request and returns its result rows.
    func aggregate(_ plan: AggregatePlan) throws(StoreError) -> [[StoredValue]] {
        let (text, types) = try store.templates.statement(plan)
        let statement = try connection.statement(text.sql)
        defer { statement.reset() }
        try statement.bind(text.bindings)
        var lines: [[StoredValue]] = []
        while try statement.step() {
            var line: [StoredValue] = []
            line.reserveCapacity(types.count)
            for (place, type) in types.enumerated() { line.append(try statement.value(Int32(place), type)) }
            lines.append(line)
        }
        return lines
    }
}
#endif
