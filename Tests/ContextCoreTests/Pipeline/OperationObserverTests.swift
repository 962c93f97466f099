import ContextCore
import Testing

/// Observers, which follow operations from their submission to their end.
@Suite(.timeLimit(.minutes(20))) struct OperationObserverTests {
    typealias Form = RetryPolicyTests.Form

    /// The name that the code around a submission, or the observer of an operation, has set.
    @TaskLocal private static var surrounding = "nothing"

    /// Returns a log that appends the events of each operation, and sets the task-local name while the operation runs.
    private func log(_ events: Journal<String>, submitted: Journal<String> = Journal(), as name: String = "")
        -> OperationLog
    {
        .observing { operation in
            submitted.append(Self.surrounding)
            let name = name + (operation.isRetry ? "second " : "first ") + operation.identifier
            return OperationObserver(
                run: { operation in
                    events.append("\(name) begins")
                    Self.$surrounding.withValue(name, operation: operation)
                    events.append("\(name) ends")
                },
                ended: { report in
                    events.append("\(name) \(report.outcome == .done ? "done" : "failed")")
                })
        }
    }

    @Test(arguments: Form.allCases)
    func `An observer runs each attempt at an operation, with its own task-local values`(_ form: Form)
        async throws
    {
        let (events, submitted, attempts) = (Journal<String>(), Journal<String>(), Journal<Int>())
        let fixture = try StepStore(
            options: StoreOptions(operationLog: log(events, submitted: submitted)))
        try await Self.$surrounding.withValue("request") {
            try await form.write(fixture.store, retries: 1) { _ in
                events.append("block in \(Self.surrounding)")
                attempts.append(1)
                if attempts.entries.count == 1 { throw StoreError(.contention, "Another one was there.") }
            }
        }
        #expect(
            events.entries == [
                "first count begins", "block in first count", "first count ends", "first count failed",
                "second count begins", "block in second count", "second count ends", "second count done",
            ])
        // A blocking call of the fixture is on a new thread, and a retry of a block with a completion on that of a timer.
        let expected =
            switch form {
            case .awaiting, .coordinated: ["request", "request"]
            case .completion, .queue: ["request", "nothing"]
            case .waiting: ["nothing", "nothing"]
            }
        #expect(submitted.entries == expected)
        await fixture.store.close()
    }

    @Test func `An operation whose turn never comes ends without having run`() async throws {
        let events = Journal<String>()
        let fixture = try StepStore(options: StoreOptions(operationLog: log(events)))
        fixture.coordinator.writeGate.shut()
        let running = Task { try await fixture.store.write("running") { _ in } }
        while fixture.store.operations.isEmpty { await Task.yield() }
        let waiting = Task { try await fixture.store.write("waiting") { _ in } }
        while fixture.store.cancelOperations(named: "waiting") == 0 { await Task.yield() }
        await #expect(throws: StoreError.self) { try await waiting.value }
        fixture.coordinator.writeGate.open()
        try await running.value
        #expect(events.entries.filter { $0.contains("waiting") } == ["first waiting failed"])
        await fixture.store.close()
    }

    @Test func `Combined logs nest, the first one outermost, and each has its report`() async throws {
        let (events, reports) = (Journal<String>(), Journal<OperationReport>())
        let logs = [
            log(events, as: "outer "), OperationLog(handler: reports.append), log(events, as: "inner "),
        ]
        let fixture = try StepStore(options: StoreOptions(operationLog: .combining(logs)))
        try await fixture.store.write("count") { _ in events.append("block in \(Self.surrounding)") }
        #expect(
            events.entries == [
                "outer first count begins", "inner first count begins", "block in inner first count",
                "inner first count ends", "outer first count ends", "outer first count done",
                "inner first count done",
            ])
        #expect(reports.entries.map(\.identifier) == ["count"])
        await fixture.store.close()
    }

    @Test func `Each of two combined statement logs has its own threshold and values`() {
        let (slow, full) = (Journal<String>(), Journal<String>())
        let log = StatementLog.combining([
            StatementLog(threshold: .milliseconds(5)) { slow.append($0.text) },
            StatementLog(includesValues: true) { full.append($0.text) },
        ])
        #expect(log.threshold == .zero && log.includesValues)
        let database = DatabaseName(system: "sqlite", namespace: "games.sqlite")
        for time in [1, 5] {
            log.report(.milliseconds(time), rows: 0, in: database) { $0 ? "\(time) values" : "\(time)" }
        }
        #expect(slow.entries == ["5"])
        #expect(full.entries == ["1 values", "5 values"])
    }
}
