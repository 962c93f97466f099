#if SQLite
import CSQLite
import ContextCore

/// Reports the statements of one connection to a log.
///
/// Only its connection's thread uses it: SQLite calls the trace hook on the thread that runs the statement.
final class StatementTrace {
    private struct Run {
        let start: ContinuousClock.Instant
        var rows = 0
    }

    private let log: StatementLog
    private let database: DatabaseName
    /// Returns the number of rows passed to the row-gathering function by the running statement, for which SQLite counts one row.
    var gatheredRows: (() -> Int)?
    /// The running statements.
    private var runs: [OpaquePointer: Run] = [:]

    init(_ log: StatementLog, _ database: DatabaseName) {
        self.log = log
        self.database = database
    }

    /// Installs the trace hook on a connection; the trace must live as long as the connection.
    func attach(to database: OpaquePointer) {
        let events = UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_ROW | SQLITE_TRACE_PROFILE)
        sqlite3_trace_v2(
            database, events,
            { event, context, statement, _ in
                guard let context, let statement else { return 0 }
                // takeUnretainedValue: the connection owns the trace for as long as SQLite may call this.
                let trace = Unmanaged<StatementTrace>.fromOpaque(context).takeUnretainedValue()
                trace.handleEvent(Int32(bitPattern: event), OpaquePointer(statement))
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func handleEvent(_ event: Int32, _ statement: OpaquePointer) {
        switch event {
        case SQLITE_TRACE_STMT:
            // SQLite reports the statements of triggers under the same handle as the statement that fires them.
            if runs[statement] == nil { runs[statement] = Run(start: .now) }
        case SQLITE_TRACE_ROW: runs[statement]?.rows += 1
        default: report(statement)
        }
    }

    private func report(_ statement: OpaquePointer) {
        guard let run = runs.removeValue(forKey: statement) else { return }
        let rows = gatheredRows?() ?? run.rows
        log.report(ContinuousClock.now - run.start, rows: rows, in: database) { includesValues in
            text(of: statement, includesValues)
        }
    }

    private func text(of statement: OpaquePointer, _ includesValues: Bool) -> String {
        if includesValues, let expanded = sqlite3_expanded_sql(statement) {
            defer { sqlite3_free(expanded) }
            return String(cString: expanded)
        }
        return sqlite3_sql(statement).map { String(cString: $0) } ?? ""
    }
}
#endif
