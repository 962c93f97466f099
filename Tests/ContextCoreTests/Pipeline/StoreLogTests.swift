import Foundation
import Testing

@testable import ContextCore

/// The lines of a store's text log.
struct StoreLogTests {
    private let limit = Duration.milliseconds(100)
    private let date = Date(timeIntervalSince1970: 1_785_662_107.5)

    private func text(
        _ outcome: OperationReport.Outcome, ran: Duration, waited: Duration = .zero, isRetry: Bool = false,
        named identifier: String = "move", slowerThan threshold: Duration? = nil
    ) -> String? {
        let report = OperationReport(
            identifier: identifier, kind: .write, lane: nil, isRetry: isRetry, waited: waited, ran: ran,
            outcome: outcome)
        return StoreLog.Event(report, slowerThan: threshold ?? limit).map(textAfterTime)
    }

    private func textAfterTime(_ event: StoreLog.Event) -> String {
        String(event.line(at: date).drop { $0 != " " }.dropFirst())
    }

    private func entry(_ text: String, _ duration: Duration, rows: Int) -> StatementLog.Entry {
        let database = DatabaseName(system: "sqlite", namespace: "games.sqlite")
        return StatementLog.Entry(text: text, duration: duration, rows: rows, database: database)
    }

    @Test func `A line has the time, and a statement its duration, rows and text`() {
        let event = StoreLog.Event(entry("SELECT 1", .microseconds(132_440), rows: 20), slowerThan: limit)
        let text = "warning statement 132.4ms rows=20 SELECT 1"
        #expect(event.line(at: date) == "2026-08-02T09:15:07.500000Z \(text)")
    }

    @Test func `An operation is slow by the time that it ran and waited`() {
        let text = text(.done, ran: .milliseconds(60), waited: .milliseconds(40))
        #expect(text == "warning operation 60.0ms waited=40.0ms write move")
        #expect(self.text(.done, ran: .milliseconds(99)) == nil)
    }

    @Test func `Conflicts, retries and errors are logged however quick they are`() {
        let ran = Duration.milliseconds(3)
        let conflict = "warning conflict 3.0ms waited=0.0ms write move"
        #expect(text(.failed(.conflict), ran: ran) == "\(conflict): conflict")
        #expect(text(.failed(.contention), ran: ran, isRetry: true) == "\(conflict): contention")
        #expect(text(.done, ran: ran, isRetry: true) == "info retry 3.0ms waited=0.0ms write move")
        #expect(text(.done, ran: limit, isRetry: true) == "warning retry 100.0ms waited=0.0ms write move")
        #expect(
            text(.failed(.validation), ran: ran)
                == "error operation 3.0ms waited=0.0ms write move: validation")
    }

    @Test func `A cancelled operation and one that its block rolled back are logged only if they are slow`() {
        let codes: [(StoreError.Code?, String)] = [(.cancelled, "cancelled"), (nil, "rolled back")]
        for (code, word) in codes {
            #expect(text(.failed(code), ran: .milliseconds(3)) == nil)
            #expect(
                text(.failed(code), ran: limit) == "info operation 100.0ms waited=0.0ms write move: \(word)")
        }
    }

    @Test func `A log of all events doesn't warn about them`() {
        #expect(
            text(.done, ran: .zero, slowerThan: .zero) == "info operation 0.0ms waited=0.0ms write move")
        let event = StoreLog.Event(entry("COMMIT", .milliseconds(2), rows: 0), slowerThan: .zero)
        #expect(textAfterTime(event) == "info statement 2.0ms rows=0 COMMIT")
    }

    @Test func `An event is one line, whatever its name or statement contains`() {
        let entry = entry("SELECT 1\n\tFROM \u{1B}[31mgame", .zero, rows: 1)
        let text = "info statement 0.0ms rows=1 SELECT 1  FROM  [31mgame"
        #expect(textAfterTime(StoreLog.Event(entry, slowerThan: .zero)) == text)
        let named = self.text(.done, ran: limit, named: "a\r\nerror b")
        #expect(named == "warning operation 100.0ms waited=0.0ms write a  error b")
    }

    @Test func `A log has a line for each attempt at a write`() async throws {
        let lines = Journal<String>()
        let log = StoreLog.handler(slowerThan: .seconds(600), lines.append)
        let store = try StepStore(options: StoreOptions(log: log)).store
        let attempts = Journal<Int>()
        try await store.write("move", retries: 2) { context in
            attempts.append(1)
            if attempts.entries.count < 3 { throw StoreError(.contention, "Another was there.") }
            _ = Remark(in: context, text: "a")
        }
        await store.close()
        let words = lines.entries.map {
            $0.split(separator: " ").dropFirst().prefix(2).joined(separator: " ")
        }
        #expect(words == ["warning conflict", "warning conflict", "info retry"])
        #expect(lines.entries.allSatisfy { $0.contains(" write move") })
    }

    @Test func `A program's own operation log replaces that of the text log`() {
        let text = StoreLog.standardError()
        #expect(StoreOptions(log: text).statementLog == text.statementLog)
        #expect(StoreOptions(log: text).operationLog == text.operationLog)
        let own = OperationLog { _ in }
        let options = StoreOptions(operationLog: own, log: text)
        #expect(options.operationLog == own && options.statementLog == text.statementLog)
    }

    @Test func `Combined logs all receive the operations`() async throws {
        let (lines, events, reports) = (
            Journal<String>(), Journal<StoreLog.Event>(), Journal<OperationReport>()
        )
        let text = StoreLog.handler(lines.append)
        let log = StoreLog.combining(
            text, .events(slowerThan: .seconds(600), events.append),
            StoreLog(operationLog: OperationLog(handler: reports.append)))
        #expect(log.statementLog?.threshold == .zero && log.statementLog != text.statementLog)
        #expect(StoreLog.combining(text, StoreLog()) == text)
        let store = try StepStore(options: StoreOptions(log: log)).store
        try await store.write("move") { _ = Remark(in: $0, text: "a") }
        await #expect(throws: StoreError.self) {
            try await store.write("move") { _ in throw StoreError(.validation, "Not so.") }
        }
        await store.close()
        #expect(lines.entries.count == 2 && reports.entries.count == 2)
        #expect(events.entries.map(\.level) == [.error] && events.entries.map(\.kind) == [.operation])
    }
}
