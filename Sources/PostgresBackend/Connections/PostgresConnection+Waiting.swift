#if Postgres
import CPostgres
import ContextCore
import Foundation

/// How answers are waited for: libpq never waits itself, so that a server which is gone is not waited for, for ever.
extension PostgresConnection {
    /// The next result as soon as it is there; nil where a statement has no more.
    func nextResult() throws(StoreError) -> OpaquePointer? {
        var watch: AnswerWatch?
        var pace: AnswerPace?
        var isFirst = true
        while true {
            let unsent = PQflush(handle)
            if unsent < 0 { throw lost() }
            if PQisBusy(handle) == 0 { return PQgetResult(handle) }
            // Nearly all answers come in one part, for which a clock is not even looked at.
            if !isFirst, unsent == 0 { rest(&pace) }
            isFirst = false
            try wait(&watch, isSending: unsent == 1)
        }
    }

    /// Sleeps for a moment where nothing is there yet, so that more is when it is waited for.
    ///
    /// - Parameter pace: One for all parts of an answer, at first nil.
    func rest(_ pace: inout AnswerPace?) {
        let socket = Socket(socket)
        var current = pace ?? AnswerPace(at: .now)
        defer { pace = current }
        guard current.wantsPause(at: .now), !socket.wait(for: Int16(POLLIN), .zero) else { return }
        Thread.sleep(AnswerPace.pause)
        current.note(bytes: socket.receivedBytes)
    }

    /// Waits for a sign of the server; there is a watch from the moment on when that takes long.
    ///
    /// Nearly all answers come within a moment, for which a watch costs too much.
    func wait(_ watch: inout AnswerWatch?, isSending: Bool) throws(StoreError) {
        if watch == nil, !(heedsCancellation && Task.isCancelled),
            try hears(within: AnswerWatch.glance, isSending: isSending)
        {
            return
        }
        var longWatch = watch ?? startWatch()
        try takeStep(&longWatch, isSending: isSending)
        watch = longWatch
    }

    /// Takes in what comes from the server, or what it has room for; false where neither happens in time.
    private func hears(within limit: Duration, isSending: Bool) throws(StoreError) -> Bool {
        let events = isSending ? POLLIN | POLLOUT : POLLIN
        guard Socket(socket).wait(for: Int16(events), limit) else { return false }
        lastSign = .now
        if PQconsumeInput(handle) == 0 { throw lost() }
        return true
    }

    /// Waits until the server has taken what was sent.
    func flush(_ watch: inout AnswerWatch) throws(StoreError) {
        while true {
            let unsent = PQflush(handle)
            if unsent < 0 { throw lost() }
            if unsent == 0 { return }
            try takeStep(&watch, isSending: true)
        }
    }

    func startWatch() -> AnswerWatch {
        AnswerWatch(
            patience: configuration.timeout, heedsCancellation: heedsCancellation, mayInquire: mayInquire,
            at: .now)
    }

    private func takeStep(_ watch: inout AnswerWatch, isSending: Bool) throws(StoreError) {
        watch.noteQueue(Socket(socket).queuedBytes, at: .now)
        switch watch.next(at: .now, isCancelled: Task.isCancelled) {
        case .wait(let limit):
            if try hears(within: limit, isSending: isSending) { watch.noteSign(at: .now) }
        case .cancel:
            let order = cancelsOnlyWaits ? process.cancellationOfWait : process.cancellation
            if mayInquire { try? inquirer().execute(order) }
        case .inquire:
            watch.noteInquiry(isWorking: isServed(), at: .now)
        case .giveUp:
            abandon()
            // Otherwise the server might keep for hours what the transaction has locked.
            if mayInquire { leavesOrphan = (try? inquirer().integer(process.termination)) != 0 }
            throw .lostConnection("The server has not answered for \(configuration.timeout).")
        }
    }

    /// Whether the server works on the connection's statement, as far as it can be found out.
    private func isServed() -> Bool {
        do throws(StoreError) {
            let inquirer = try inquirer()
            let work = try inquirer.integer(process.work) ?? 0
            if work == 0 { return false }
            let countsRows = serverVersion >= Self.firstToCountCopiedBytes
            return try copiedBytes != nil && countsRows ? takesRows(inquirer) : getsOn(with: work)
        } catch {
            // A server that answers is there, even though it doesn't let anybody ask.
            return error.code != .connectionLost
        }
    }

    /// Whether the server, where rows flow to it, has read some since it was last asked; not so where it only waits for more.
    private func takesRows(_ inquirer: PostgresConnection) throws(StoreError) -> Bool {
        guard let known = copiedBytes, let bytes = try inquirer.integer(process.copiedBytes) else {
            return true
        }
        copiedBytes = bytes
        return bytes > known
    }

    /// PostgreSQL has had `pg_stat_progress_copy` since version 14.
    private static let firstToCountCopiedBytes: Int32 = 140_000

    /// Whether the server works, or has begun with something new since it was last seen to wait for this connection.
    private func getsOn(with work: Int64) -> Bool {
        if work == 1 { return true }
        defer { workBegun = work }
        return work != workBegun
    }

    /// A connection to ask by.
    private func inquirer() throws(StoreError) -> PostgresConnection {
        var configuration = configuration
        configuration.timeout = min(max(configuration.timeout, .seconds(2)), .seconds(5))
        configuration.preparesStatements = false
        configuration.statementLog = nil
        return try PostgresConnection(configuration, mayInquire: false)
    }
}
#endif
