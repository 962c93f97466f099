#if SQLite
import CSQLite
import ContextCore

/// Reports the statements of one connection to a log.
///
/// It is used by its connection's thread only: SQLite calls back on the thread that runs the statement.
final class StatementTrace {
    private struct Run {
        let start: ContinuousClock.Instant
        var rows = 0
    }

    private let log: StatementLog
    /// Answers how many rows the statement that is running has handed to a function, of which SQLite knows one answer only.
    var gatheredRows: (() -> Int)?
    /// The statements that are under way.
    private var runs: [OpaquePointer: Run] = [:]

    init(_ log: StatementLog) { self.log = log }

    /// Listens to a connection's statements; the trace must live as long as the connection.
    func attach(to database: OpaquePointer) {
        let events = UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_ROW | SQLITE_TRACE_PROFILE)
        sqlite3_trace_v2(
            database, events,
            { event, context, statement, _ in
                guard let context, let statement else { return 0 }
                // takeUnretainedValue: the connection owns the trace for as long as SQLite may call this.
                let trace = Unmanaged<StatementTrace>.fromOpaque(context).takeUnretainedValue()
                trace.note(Int32(bitPattern: event), OpaquePointer(statement))
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func note(_ event: Int32, _ statement: OpaquePointer) {
        switch event {
        case SQLITE_TRACE_STMT:
            // A trigger's statement is announced again, inside the one that set it off.
            if runs[statement] == nil { runs[statement] = Run(start: .now) }
        case SQLITE_TRACE_ROW: runs[statement]?.rows += 1
        default: report(statement)
        }
    }

    private func report(_ statement: OpaquePointer) {
        guard let run = runs.removeValue(forKey: statement) else { return }
        let duration = ContinuousClock.now - run.start
        guard duration >= log.threshold else { return }
        let rows = gatheredRows?() ?? run.rows
        log.report(StatementLog.Entry(text: text(of: statement), duration: duration, rows: rows))
    }

    private func text(of statement: OpaquePointer) -> String {
        if log.includesValues, let expanded = sqlite3_expanded_sql(statement) {
            defer { sqlite3_free(expanded) }
            return String(cString: expanded)
        }
        return sqlite3_sql(statement).map { String(cString: $0) } ?? ""
    }
}
#endif
