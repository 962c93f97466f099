#if Postgres
import CPostgres
import ContextCore
import Foundation

/// Waiting for results: libpq never blocks, so that waits for an unreachable server have a limit.
extension PostgresConnection {
    /// Waits for the next result; nil after the last one of a statement.
    func nextResult() throws(StoreError) -> OpaquePointer? {
        var watch: ResultWait?
        var pace: ResultPacing?
        var isFirst = true
        while true {
            let unsent = PQflush(handle)
            if unsent < 0 { throw abandonWithError() }
            if PQisBusy(handle) == 0 { return PQgetResult(handle) }
            // Nearly all results arrive at once, so don't read a clock before the first wait.
            if !isFirst, unsent == 0 { pauseForMoreData(&pace) }
            isFirst = false
            try wait(&watch, isSending: unsent == 1)
        }
    }

    /// Sleeps briefly if nothing has arrived yet, so that the thread wakes for larger chunks of a result.
    ///
    /// - Parameter pace: The state for all chunks of a result, nil at first.
    func pauseForMoreData(_ pace: inout ResultPacing?) {
        let socket = Socket(socket)
        var current = pace ?? ResultPacing(at: .now)
        defer { pace = current }
        guard current.shouldPause(at: .now), !socket.wait(for: Int16(POLLIN), .zero) else { return }
        Thread.sleep(ResultPacing.pause)
        current.recordReceived(bytes: socket.receivedBytes)
    }

    /// Waits until the server sends or accepts data, and creates the wait state if that takes longer than 50 ms.
    ///
    /// Nearly all results arrive sooner, and the state would add to their cost.
    func wait(_ watch: inout ResultWait?, isSending: Bool) throws(StoreError) {
        if watch == nil, !isCancelled,
            try waitForData(within: ResultWait.cancellationCheckInterval, isSending: isSending)
        {
            return
        }
        var nextWait = watch ?? makeResultWait()
        try performStep(&nextWait, isSending: isSending)
        watch = nextWait
    }

    /// Reads data from the server, or returns when the server accepts data; false if neither happens within the time limit.
    private func waitForData(within limit: Duration, isSending: Bool) throws(StoreError) -> Bool {
        let events = isSending ? POLLIN | POLLOUT : POLLIN
        guard Socket(socket).wait(for: Int16(events), limit) else { return false }
        recordActivity()
        if PQconsumeInput(handle) == 0 { throw abandonWithError() }
        return true
    }

    /// Waits until libpq's send buffer is empty.
    func flush(_ watch: inout ResultWait) throws(StoreError) {
        while true {
            let unsent = PQflush(handle)
            if unsent < 0 { throw abandonWithError() }
            if unsent == 0 { return }
            try performStep(&watch, isSending: true)
        }
    }

    func makeResultWait() -> ResultWait {
        ResultWait(
            timeout: configuration.timeout, isCancellable: cancellationScope != .nothing,
            canInquire: canInquire, at: .now)
    }

    private func performStep(_ watch: inout ResultWait, isSending: Bool) throws(StoreError) {
        watch.recordQueueSize(Socket(socket).queuedBytes, at: .now)
        switch watch.next(at: .now, isCancelled: Task.isCancelled) {
        case .wait(let limit):
            if try waitForData(within: limit, isSending: isSending) { watch.recordActivity(at: .now) }
        case .cancel:
            let query =
                cancellationScope == .lockWaits
                ? process.lockWaitCancellationQuery : process.cancellationQuery
            if canInquire { try? openInquiryConnection().execute(query) }
        case .inquire:
            watch.recordInquiry(isWorking: isServerWorking(), at: .now)
        case .giveUp:
            markBroken()
            // The server might hold the transaction's locks for hours otherwise.
            if canInquire {
                let remaining = try? openInquiryConnection().integer(process.terminationQuery)
                recordAbandonment(leavesProcess: remaining != 0)
            }
            throw .lostConnectionError("The server has not responded for \(configuration.timeout).")
        }
    }

    /// Asks the server, through another connection, whether it is running the connection's statement.
    private func isServerWorking() -> Bool {
        do throws(StoreError) {
            let inquirer = try openInquiryConnection()
            let work = try inquirer.integer(process.workQuery) ?? 0
            if work == 0 { return false }
            let countsRows = serverVersion >= Self.minimumVersionWithCopyProgress
            return try copiedBytes != nil && countsRows
                ? hasCopyProgressed(inquirer) : makesProgress(since: work)
        } catch {
            // A server that rejects the inquiry can be reached.
            return error.code != .connectionLost
        }
    }

    /// Returns whether the server has read more bytes of a COPY since the last inquiry.
    private func hasCopyProgressed(_ inquirer: PostgresConnection) throws(StoreError) -> Bool {
        guard let known = copiedBytes, let bytes = try inquirer.integer(process.copiedBytesQuery) else {
            return true
        }
        copiedBytes = bytes
        return bytes > known
    }

    /// The first version with `pg_stat_progress_copy`.
    private static let minimumVersionWithCopyProgress: Int32 = 140_000

    /// Returns whether the server works, or has changed its state since the last inquiry that found it waiting for this connection.
    private func makesProgress(since work: Int64) -> Bool {
        if work == 1 { return true }
        defer { lastWaitStart = work }
        return work != lastWaitStart
    }

    /// Opens a connection for inquiries.
    private func openInquiryConnection() throws(StoreError) -> PostgresConnection {
        var configuration = configuration
        configuration.timeout = min(max(configuration.timeout, .seconds(2)), .seconds(5))
        configuration.preparesStatements = false
        configuration.statementLog = nil
        return try PostgresConnection(configuration, canInquire: false)
    }
}
#endif
