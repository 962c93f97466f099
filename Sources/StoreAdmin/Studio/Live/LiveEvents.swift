import ContextCore
import Foundation

/// The live events of one client: the saves of all processes, the activity and the rates of a store.
///
/// Each client has its own instance with its own connections, which only the client's thread uses. So a slow client doesn't delay the
/// others, and no events are queued: the store is read only after the client has received the previous events. The server limits the
/// number of clients, and thereby the connections.
///
/// It survives a store that can't be reached, is migrated or is replaced: it then opens the store again, with increasing delays.
final class LiveEvents {
    /// The longest time that ``next()`` waits.
    static let longestWait = Duration.seconds(1)

    private let store: AdministeredStore
    private let tool: Tool
    private var schedule: LiveSchedule
    private var connection: LiveConnection?
    /// The last save that the client has.
    private var last: StoreToken?
    /// The number of the last save that the client had when it lost its connection, until the store is open.
    private var resumedSave: Int64?
    private var window: RateWindow

    /// - Parameter lastSave: The number of the last save that the client has, if it had lost its connection.
    init(
        _ store: AdministeredStore, _ tool: Tool, after lastSave: Int64? = nil,
        intervals: LiveSchedule.Intervals = LiveSchedule.Intervals()
    ) {
        self.store = store
        self.tool = tool
        resumedSave = lastSave
        schedule = LiveSchedule(intervals, at: .now)
        window = RateWindow(firstSecond: Self.second)
    }

    deinit { close() }

    /// Closes the connections; a later ``next()`` opens them again.
    func close() {
        connection?.close()
        connection = nil
    }

    /// Passes events to a closure until it returns false or the events should stop.
    ///
    /// - Parameters:
    ///   - shouldStop: Whether the tool stops; it is asked at least every second.
    ///   - send: Sends an event, or a comment if it is nil, and returns whether the client is still there.
    func run(until shouldStop: () -> Bool, send: (LiveEvent?) -> Bool) {
        defer { close() }
        while !shouldStop() {
            let events = next()
            if events.isEmpty, !send(nil) { return }
            for event in events where !send(event) { return }
        }
    }

    /// Waits for the next events and returns them; none if nothing has happened for a second.
    ///
    /// It throws nothing: an error is an event.
    func next() -> [LiveEvent] {
        let deadline = ContinuousClock.now + Self.longestWait
        while true {
            let now = ContinuousClock.now
            let step = schedule.step(at: now)
            if case .wait(let time) = step {
                if now >= deadline { return [] }
                Thread.sleep(forTimeInterval: (min(time, deadline) - now) / .seconds(1))
                continue
            }
            let events = perform(step)
            if !events.isEmpty { return events }
        }
    }

    private func perform(_ step: LiveSchedule.Step) -> [LiveEvent] {
        do {
            switch step {
            case .open: return [try open()]
            case .readSaves: return try readSaves()
            case .readActivity: return try readActivity()
            case .wait: return []
            }
        } catch {
            close()
            return schedule.recordFailure(at: .now).map { [failure(error, $0)] } ?? []
        }
    }

    private func open() throws -> LiveEvent {
        close()
        let connection = try LiveConnection(store, after: last, orSave: resumedSave)
        self.connection = connection
        resumedSave = nil
        if last?.storeID != connection.position.storeID { try countRecentSaves(connection) }
        last = connection.position
        schedule.recordOpening(at: .now)
        return LiveEvent(
            name: .opened,
            data: .object([
                "store": store.json, "id": .string(connection.position.storeID.uuidString),
                "save": .int(Int(connection.position.sequence)),
                "skipped": .int(Int(connection.skippedCount)),
                "fingerprint": .string(connection.model.fingerprint),
            ]))
    }

    /// Starts the counts with the saves of the last minutes.
    private func countRecentSaves(_ connection: LiveConnection) throws {
        let now = Self.second
        let length = RateWindow.bucketSeconds * RateWindow.bucketCount
        window = RateWindow(firstSecond: now - length)
        var first: Int64?
        let start = Date(timeIntervalSince1970: Double(now - length))
        let isComplete = try connection.forEachSave(since: start) { transaction in
            // The clock of another process may be ahead.
            let second = min(now, Int64(transaction.date.timeIntervalSince1970))
            if first == nil { first = second }
            window.record(RateWindow.Save(transaction, connection.model), second: second)
        }
        if !isComplete, let first { window.limitCounting(to: first) }
    }

    private func readSaves() throws -> [LiveEvent] {
        guard let connection else { return [] }
        let transactions = try connection.nextSaves()
        last = connection.position
        schedule.recordSaves(hasMore: transactions.count == LiveConnection.pageSize, at: .now)
        return transactions.map { transaction in
            window.record(RateWindow.Save(transaction, connection.model), second: Self.second)
            var row = HistoryListCommand.columns
            row.append(HistoryListCommand.cells(transaction, connection.model))
            return LiveEvent(
                name: .save, id: transaction.token.sequence, data: row.documents.first ?? .null)
        }
    }

    private func readActivity() throws -> [LiveEvent] {
        guard let connection else { return [] }
        let activity = try connection.activity()
        schedule.recordActivity(at: .now)
        if let bytes = activity?.bytes { window.recordSize(bytes, second: Self.second) }
        let document = activity.map { ActivityDocument(store: store, activity: $0).value }
        return [document.map { LiveEvent(name: .activity, data: $0) }].compactMap(\.self)
            + [LiveEvent(name: .rates, data: window.document(second: Self.second))]
    }

    private func failure(_ error: any Error, _ delay: Duration) -> LiveEvent {
        LiveEvent(
            name: .error,
            data: .object([
                "error": .object(AdminError(error).naming(tool).jsonMembers),
                "retryMilliseconds": .int(Quantity.milliseconds(delay)),
            ]))
    }

    /// The current time in whole seconds.
    private static var second: Int64 { Int64(Date().timeIntervalSince1970) }
}

extension RateWindow.Save {
    /// Counts the changes of a transaction.
    init(_ transaction: HistoryTransaction, _ model: ObjectModel) {
        author = transaction.author
        changes = [:]
        for change in transaction.changes {
            let name = model.layouts[change.entityIndex].name
            switch change.kind {
            case .insert: changes[name, default: Changes()].inserted += 1
            case .update: changes[name, default: Changes()].updated += 1
            case .delete: changes[name, default: Changes()].deleted += 1
            }
        }
    }
}
