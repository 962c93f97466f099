/// Measures one operation for the store's log, if it has one.
///
/// `began` is guarded by its mutex: an operation is submitted on one thread and runs on another.
final class OperationWatch: Sendable {
    private let label: OperationLabel
    private let log: OperationLog?
    private let times: Times?

    private struct Times: Sendable {
        let submitted = ContinuousClock.now
        let began = Guarded<ContinuousClock.Instant?>(nil)
    }

    init(_ label: OperationLabel, _ log: OperationLog?) {
        self.label = label
        self.log = log
        times = log == nil ? nil : Times()
    }

    /// The operation's turn has come.
    func begin() {
        times?.began.withLock { $0 = .now }
    }

    /// Reports what becomes of the operation.
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

    /// Reports what becomes of the operation.
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

    /// Reports what has become of the operation.
    func report<Value>(_ result: Result<Value, any Error>) -> Result<Value, any Error> {
        switch result {
        case .success: end(.done)
        case .failure(let error): end(.failed((error as? StoreError)?.code))
        }
        return result
    }

    private func end(_ outcome: OperationReport.Outcome) {
        guard let log, let times else { return }
        let (began, now) = (times.began.withLock { $0 }, ContinuousClock.now)
        log.report(
            OperationReport(
                identifier: label.identifier, kind: OperationInfo.Kind(label.kind), lane: label.lane,
                waited: (began ?? now) - times.submitted, ran: began.map { now - $0 } ?? .zero,
                outcome: outcome))
    }
}
