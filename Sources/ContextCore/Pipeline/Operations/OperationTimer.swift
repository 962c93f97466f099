/// Measures one operation for the store's log, if it has one, and runs it in the log's observer.
struct OperationTimer: Sendable {
    private let measured: Measured?

    /// `began` is guarded by its mutex: an operation is submitted on one thread and runs on another.
    private final class Measured: Sendable {
        let label: OperationLabel
        let observer: OperationObserver
        let reported: @Sendable () -> Void
        let submitted = ContinuousClock.now
        let began = Guarded<ContinuousClock.Instant?>(nil)

        init(
            _ label: OperationLabel, _ observer: OperationObserver, reported: @escaping @Sendable () -> Void
        ) {
            self.label = label
            self.observer = observer
            self.reported = reported
        }
    }

    /// Creates a timer that measures nothing, for a store without a log.
    init() { measured = nil }

    /// Creates a timer for an operation of a store with a log.
    ///
    /// - Parameter reported: Called once, after the log has received the report.
    init(
        _ label: OperationLabel, _ log: OperationLog, _ database: DatabaseName?,
        reported: @escaping @Sendable () -> Void
    ) {
        let observer = log.observer(of: SubmittedOperation(label, database))
        measured = Measured(label, observer, reported: reported)
    }

    /// Records that the operation's turn has come, and runs it.
    func runTurn<Value>(_ body: () throws -> Value) throws -> Value {
        guard let measured else { return try body() }
        measured.began.withLock { $0 = .now }
        guard let run = measured.observer.run else { return try body() }
        var result: Result<Value, any Error>?
        run {
            requirePrecondition(result == nil, "An OperationObserver ran \(measured.label) twice.")
            result = Result { try body() }
        }
        guard let result else {
            programmingError("An OperationObserver returned without running \(measured.label).")
        }
        return try result.get()
    }

    /// Runs the operation, and reports how it ended.
    func report<Value>(_ operation: () throws -> Value) throws -> Value {
        do {
            let value = try operation()
            end(.done)
            return value
        } catch {
            end(.failed((error as? StoreError)?.code))
            throw error
        }
    }

    /// Runs the operation, and reports how it ended.
    func report<Value>(_ operation: () async throws -> Value) async throws -> Value {
        do {
            let value = try await operation()
            end(.done)
            return value
        } catch {
            end(.failed((error as? StoreError)?.code))
            throw error
        }
    }

    /// Reports how the operation ended.
    func report<Value>(_ result: Result<Value, any Error>) -> Result<Value, any Error> {
        switch result {
        case .success: end(.done)
        case .failure(let error): end(.failed((error as? StoreError)?.code))
        }
        return result
    }

    private func end(_ outcome: OperationReport.Outcome) {
        guard let measured else { return }
        let (label, now) = (measured.label, ContinuousClock.now)
        let began = measured.began.withLock { $0 }
        measured.observer.ended(
            OperationReport(
                identifier: label.identifier, kind: OperationInfo.Kind(label.kind), lane: label.lane,
                isRetry: label.isRetry, waited: (began ?? now) - measured.submitted,
                ran: began.map { now - $0 } ?? .zero,
                outcome: outcome))
        measured.reported()
    }
}
