#if SQLite
import CSQLite
import ContextCore

/// Gathers all rows of a statement in one step, with an aggregate function that SQLite calls for each row.
///
/// ```sql
/// SELECT context_gather("_id", "_version", "title") FROM "game"
/// ```
///
/// Returning from SQLite for each row and reading its columns one by one would take half as long again.
///
/// Only its connection's thread uses its state.
final class RowGatherer {
    /// The destination of rows, valid while the statement runs.
    enum Destination {
        case rows(UnsafeMutablePointer<PackedRows>)
        case links(UnsafeMutablePointer<[RelatedRows.Link]>)

        /// The number of rows so far.
        var count: Int {
            switch self {
            case .rows(let rows): rows.pointee.count
            case .links(let links): links.pointee.count
            }
        }
    }

    /// The state that SQLite passes to the function.
    fileprivate struct State {
        var destination: Destination?
        var failure: StoreError?
    }

    // SQLite's function changes the state during `run`; it is freed with the gatherer. Accessing an object through a closure would
    // take 1 % of a fetch.
    private let state: UnsafeMutablePointer<State>

    init() {
        state = .allocate(capacity: 1)
        state.initialize(to: State())
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// Registers the function with a connection, which must not outlive the gatherer; returns SQLite's result code.
    func register(on database: OpaquePointer) -> Int32 {
        sqlite3_create_function_v2(
            database, FunctionSpelling.gather, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, state, nil,
            { context, count, arguments in
                guard let context, let arguments, let state = sqlite3_user_data(context) else { return }
                // The state that was registered.
                state.assumingMemoryBound(to: State.self).pointee.append(
                    RowArguments(values: arguments), count, context)
            },
            { context in sqlite3_result_null(context) }, nil)
    }

    /// Runs a statement that passes its rows to the function.
    func run(_ statement: SQLiteStatement, _ destination: Destination) throws(StoreError) {
        state.pointee.destination = destination
        defer { state.pointee = State() }
        do throws(StoreError) {
            try statement.run()
        } catch {
            throw state.pointee.failure ?? error
        }
    }
}

extension RowGatherer.State {
    @inline(__always)
    fileprivate mutating func append(_ row: RowArguments, _ count: Int32, _ context: OpaquePointer) {
        switch destination {
        case .rows(let rows):
            do throws(StoreError) {
                try rows.pointee.append(row)
            } catch {
                failure = error
                sqlite3_result_error_code(context, SQLITE_ABORT)
            }
        case .links(let links):
            links.pointee.append(
                RelatedRows.Link(
                    owner: row.value(0).integer, target: row.value(1).integer,
                    position: count > 2 ? row.value(2).integer : 0))
        case nil: sqlite3_result_error(context, "\(FunctionSpelling.gather) can only be used in fetches.", -1)
        }
    }
}
#endif
