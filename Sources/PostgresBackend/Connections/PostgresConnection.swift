#if Postgres
import CPostgres
import ContextCore
import SQLStore

/// One connection to a server, used by one thread at a time.
final class PostgresConnection {
    let handle: OpaquePointer
    let preparesStatements: Bool
    var prepared = PreparedNames()
    /// The statements that were sent and not heard of yet.
    var posted: [PostedStatement] = []
    /// Whether all that was posted since it was last asked for has changed as many rows as it should.
    var isAsPosted = true
    /// How often the server was waited for.
    var roundTrips = 0

    /// Connects, and waits until the server has answered.
    init(_ configuration: PostgresConfiguration) throws(StoreError) {
        preparesStatements = configuration.preparesStatements
        let settings = ConnectionSettings(configuration)
        guard let handle = settings.connect() else {
            throw StoreError(
                .inputOutput, "There is not enough memory.", remedy: "Free some memory and try again.")
        }
        self.handle = handle
        guard PQstatus(handle) == CONNECTION_OK else { throw refusal(configuration) }
        // What a server wants to remark has no reader here.
        PQsetNoticeReceiver(handle, { _, _ in }, nil)
    }

    deinit { PQfinish(handle) }

    private func refusal(_ configuration: PostgresConfiguration) -> StoreError {
        let words = String(cString: PQerrorMessage(handle))
        // libpq gives no SQLSTATE for a refused connection, only the server's words.
        let isRefusal = words.contains("FATAL:")
        return StoreError(
            isRefusal ? .configuration : .connectionLost,
            isRefusal
                ? "The database server doesn't let the program in." : "The database server can't be reached.",
            remedy: isRefusal
                ? "Check the user, the password, the database and the server's pg_hba.conf."
                : "Check the address, and whether the server runs.",
            detail: words.trimmingLines)
    }

    // MARK: State

    /// Whether a transaction is open, or has failed and waits for its end.
    var isInTransaction: Bool {
        let status = PQtransactionStatus(handle)
        return status == PQTRANS_INTRANS || status == PQTRANS_INERROR || status == PQTRANS_ACTIVE
    }

    /// Whether a statement of the open transaction has failed, so that the server takes no others.
    var hasFailedStatement: Bool { PQtransactionStatus(handle) == PQTRANS_INERROR }

    /// Whether the server is still there, as far as anybody has noticed.
    var isAlive: Bool { PQstatus(handle) == CONNECTION_OK }

    // MARK: Running

    /// Runs statements without values, several at once if need be.
    func execute(_ sql: String) throws(StoreError) {
        try collect()
        roundTrips += 1
        guard let result = PQexec(handle, sql) else { throw lost() }
        _ = try checked(result, sql)
    }

    /// Runs statements without values in one round trip, and answers the number that the last of them answers.
    func integer(_ sql: String) throws(StoreError) -> Int64? {
        try collect()
        roundTrips += 1
        guard let result = PQexec(handle, sql) else { throw lost() }
        let answer = try checked(result, sql)
        // Without values everything crosses as text.
        return answer.count == 0 || answer.isNull(0, 0) ? nil : Int64(answer.text(0, 0))
    }

    /// Runs a statement with values.
    @discardableResult
    func run(_ sql: String, _ parameters: PostgresParameters = PostgresParameters()) throws(StoreError)
        -> PostgresResult
    {
        try collect()
        let result: OpaquePointer?
        if preparesStatements {
            let name = try self.name(of: sql, parameters)
            roundTrips += 1
            result = parameters.withValues { values, lengths, formats in
                PQexecPrepared(handle, name, Int32(parameters.count), values, lengths, formats, 1)
            }
        } else {
            roundTrips += 1
            result = parameters.withValues { values, lengths, formats in
                PQexecParams(
                    handle, sql, Int32(parameters.count), parameters.types, values, lengths, formats, 1)
            }
        }
        guard let result else { throw lost() }
        return try checked(result, sql)
    }

    /// Runs a statement as a compiler made it.
    @discardableResult
    func run(_ text: SQLText) throws(StoreError) -> PostgresResult {
        try run(text.sql, try PostgresParameters(text.bindings))
    }

    /// The name of a prepared statement; prepares it where it is met for the first time.
    private func name(of sql: String, _ parameters: PostgresParameters) throws(StoreError) -> String {
        let shape = PreparedNames.Shape(sql: sql, types: parameters.types)
        if let known = prepared[shape] { return known }
        let (name, forgotten) = prepared.add(shape)
        if let forgotten { try execute("DEALLOCATE \(forgotten)") }
        roundTrips += 1
        guard let result = PQprepare(handle, name, sql, Int32(parameters.count), parameters.types) else {
            throw lost()
        }
        do throws(StoreError) {
            _ = try checked(result, sql)
        } catch {
            prepared.forget(shape)
            throw error
        }
        return name
    }

    func checked(_ result: OpaquePointer, _ sql: String) throws(StoreError) -> PostgresResult {
        let answer = PostgresResult(result)
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: return answer
        default: break
        }
        if PQstatus(handle) != CONNECTION_OK { throw lost() }
        // The primary message names columns and constraints; the detail below it would quote values.
        throw .postgres(state: field(result, "C"), detail: field(result, "M") ?? "", statement: sql)
    }

    private func field(_ result: OpaquePointer, _ code: Unicode.Scalar) -> String? {
        PQresultErrorField(result, Int32(code.value)).map { String(cString: $0) }
    }

    func lost() -> StoreError {
        .lostConnection(String(cString: PQerrorMessage(handle)).trimmingLines)
    }
}

extension String {
    /// The text without line ends at its end.
    fileprivate var trimmingLines: String {
        var text = self
        while text.last?.isNewline == true { text.removeLast() }
        return text
    }
}
#endif
