#if SQLite
import CSQLite
import ContextCore

/// Takes in all rows of a statement in one step of it, by a function that SQLite calls with each.
///
/// ```sql
/// SELECT context_gather("_id", "_version", "title") FROM "game"
/// ```
///
/// To come back from SQLite with each row, and to ask it for one column after the other, takes half as long again.
///
/// State: where rows go, used by the thread of the connection that it belongs to.
final class RowGatherer {
    /// Where rows go; good until the statement has been run.
    enum Place {
        case rows(UnsafeMutablePointer<PackedRows>)
        case links(UnsafeMutablePointer<[RelatedRows.Link]>)

        /// How many have come.
        var count: Int {
            switch self {
            case .rows(let rows): rows.pointee.count
            case .links(let links): links.pointee.count
            }
        }
    }

    /// What SQLite hands back to the function.
    fileprivate struct State {
        var place: Place?
        var failure: StoreError?
    }

    // Of SQLite's function, which changes it in the midst of `run`; freed with the gatherer. A look at an object by a closure would
    // take a hundredth of a fetch.
    private let state: UnsafeMutablePointer<State>

    init() {
        state = .allocate(capacity: 1)
        state.initialize(to: State())
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// Registers the function with a connection, which must not outlive the gatherer; returns SQLite's result.
    func register(on database: OpaquePointer) -> Int32 {
        sqlite3_create_function_v2(
            database, FunctionSpelling.gather, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, state, nil,
            { context, count, arguments in
                guard let context, let arguments, let state = sqlite3_user_data(context) else { return }
                // It is the one that was registered.
                state.assumingMemoryBound(to: State.self).pointee.take(
                    RowArguments(values: arguments), count, context)
            },
            { context in sqlite3_result_null(context) }, nil)
    }

    /// Runs a statement that hands its rows to the function.
    func run(_ statement: SQLiteStatement, _ place: Place) throws(StoreError) {
        state.pointee.place = place
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
    fileprivate mutating func take(_ row: RowArguments, _ count: Int32, _ context: OpaquePointer) {
        switch place {
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
        case nil: sqlite3_result_error(context, "\(FunctionSpelling.gather) is for fetches alone.", -1)
        }
    }
}
#endif
