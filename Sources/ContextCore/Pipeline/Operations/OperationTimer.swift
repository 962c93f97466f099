/// Measures one operation for the store's log, if it has one.
struct OperationTimer: Sendable {
    private let measured: Measured?

    /// `began` is guarded by its mutex: an operation is submitted on one thread and runs on another.
    private final class Measured: Sendable {
        let label: OperationLabel
        let log: OperationLog
        let submitted = ContinuousClock.now
        let began = Guarded<ContinuousClock.Instant?>(nil)

        init(_ label: OperationLabel, _ log: OperationLog) {
            self.label = label
            self.log = log
        }
    }

    init(_ label: OperationLabel, _ log: OperationLog?) {
        measured = log.map { Measured(label, $0) }
    }

    /// Records that the operation's turn has come.
    func recordStart() {
        measured?.began.withLock { $0 = .now }
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
        measured.log.report(
            OperationReport(
                identifier: label.identifier, kind: OperationInfo.Kind(label.kind), lane: label.lane,
                isRetry: label.isRetry, waited: (began ?? now) - measured.submitted,
                ran: began.map { now - $0 } ?? .zero,
                outcome: outcome))
    }
}
