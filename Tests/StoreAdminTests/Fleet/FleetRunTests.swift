import ContextCore
import Foundation
import Synchronization
import Testing

@testable import StoreAdmin

/// A run over tenants, whatever its work is.
struct FleetRunTests {
    /// How many pieces of work are going on, and how many there were at most.
    private final class Meter: Sendable {
        let counts = Mutex((now: 0, most: 0))

        func begin() {
            counts.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
        }

        func end() { counts.withLock { $0.now -= 1 } }
    }

    private let bench: AdminBench
    private static let tenants = (10..<22).map { "t\($0)" }

    /// Tenants whose files are empty: the work of these tests doesn't open them.
    init() throws {
        bench = try AdminBench()
        for tenant in Self.tenants { try bench.write("", to: "fleet.\(tenant).sqlite") }
    }

    private func call(
        _ words: [String], _ form: OutputForm = .table,
        interruption: Interruption = .none
    ) throws -> CommandCall {
        let arguments = try ArgumentParser.parse(
            words + ["-s", "sqlite:fleet.sqlite"], for: FleetCheckCommand().declaration)
        return CommandCall(
            arguments: arguments, tool: bench.tool, form: form,
            output: Output(data: { _ in }, message: { _ in }), interruption: interruption)
    }

    private let plan = FleetRun.Plan(
        schema: "fleet.test", words: [.done: "worked on"], columns: [.init("number", isRight: true)])

    @Test(arguments: [1, 3])
    func `As many tenants as wanted are worked on at once, and no more`(jobs: Int) throws {
        let meter = Meter()
        let together = DispatchSemaphore(value: 0)
        let report = try FleetRun(call(["--jobs", "\(jobs)"]), plan).run { call in
            meter.begin()
            defer { meter.end() }
            // Of each group of as many the last one lets the others go on: with fewer at once they would wait in vain.
            let number = try #require(Int(call.arguments["tenant"]?.dropFirst() ?? "")) - 10
            if number % jobs == jobs - 1 {
                for _ in 1..<jobs { together.signal() }
            } else {
                #expect(together.wait(timeout: .now() + 60) == .success)
            }
            return TenantResult(.done, "fine", cells: [.count(number)])
        }
        #expect(report.exit == .success)
        #expect(meter.counts.withLock { $0.most } == jobs)
    }

    @Test func `The rows of a document are in the order of the names, whoever ends first`() throws {
        let others = DispatchSemaphore(value: 0)
        let report = try FleetRun(call(["--jobs", "2"], .json), plan).run { call in
            let tenant = call.arguments["tenant"]
            if tenant == Self.tenants[0] {
                for _ in 1..<Self.tenants.count { #expect(others.wait(timeout: .now() + 60) == .success) }
            } else {
                others.signal()
            }
            return TenantResult(.done, "fine", cells: [.count(1)])
        }
        #expect(report.rows?.documents.compactMap { $0["tenant"].stringValue } == Self.tenants)
    }

    @Test func `A failure is one tenant's own, in one line`() throws {
        let run = try FleetRun(call([], .json), plan)
        let report = try run.run { call in
            if call.arguments["tenant"] == "t13" {
                throw StoreError(.corrupt, "The file is damaged.\nMuch of it.", remedy: "Restore a backup.")
            }
            return TenantResult(.done, "fine", cells: [.count(1)])
        }
        #expect(report.exit == .differences)
        #expect(report.json["summary"]?["done"].intValue == 11)
        let failed = try #require(report.rows?.documents.first { $0["tenant"].stringValue == "t13" })
        #expect(failed["code"].stringValue == "SC2006")
        #expect(failed["number"] == .null)
        #expect(report.text(TextStyle()).hasSuffix("1 failed\nfailed: t13\n"))
        let line = TenantResult(AdminError.badData("one\n  two", hint: "three")).lines(
            "t13", TextStyle(), isVerbose: false, isTimed: true)
        #expect(line == "t13  failed: SC3001 one two\n")
    }

    @Test func `After a failure no further tenant is begun where that is wanted`() throws {
        let begun = Mutex<[String]>([])
        let report = try FleetRun(call(["--fail-fast", "--jobs", "1"]), plan).run { call in
            begun.withLock { $0.append(call.arguments["tenant"] ?? "") }
            if call.arguments["tenant"] == "t12" { throw StoreError(.busy, "It is busy.", remedy: nil) }
            return TenantResult(.done, "fine", cells: [.count(1)])
        }
        #expect(begun.withLock { $0 } == ["t10", "t11", "t12"])
        #expect(report.exit == .differences)
        #expect(report.json["next"]?.stringValue == "t12")
        #expect(report.json["summary"]?["left"].intValue == 9)
    }

    @Test(arguments: [(SIGINT, ExitCode.interrupted), (SIGTERM, .terminated)])
    func `A signal stops a run, which says where it goes on`(signal: Int32, exit: ExitCode) throws {
        let done = Mutex(0)
        let interruption = Interruption.asking { done.withLock { $0 } >= 3 ? signal : nil }
        let report = try FleetRun(call(["--jobs", "1"], interruption: interruption), plan).run { call in
            done.withLock { $0 += 1 }
            // What can stop does so, and its tenant is not done.
            try call.interruption.check("The work", hint: "Go on.")
            return TenantResult(.done, "fine", cells: [.count(1)])
        }
        #expect(report.exit == exit)
        #expect(report.text(TextStyle()).hasPrefix("2 worked on, 1 stopped, 9 not begun\n"))
        #expect(report.text(TextStyle()).contains("--from t12"))
    }

    @Test func `Options that make no sense end the run, and are no tenant's failure`() throws {
        let run = try FleetRun(call(["--jobs", "2"]), plan)
        let error = #expect(throws: AdminError.self) {
            try run.run { _ in throw AdminError.usage("--retries takes a whole number.") }
        }
        #expect(error?.exit == .usage)
        #expect(throws: AdminError.self) { try FleetRun(call(["--jobs", "0"]), plan) }
    }

    @Test func `What can't be printed ends the run`() throws {
        struct Full: Error {}
        var call = try call([])
        call = CommandCall(
            arguments: call.arguments, tool: call.tool, form: .table,
            output: Output(data: { _ in throw Full() }, message: { _ in }))
        let run = try FleetRun(call, plan)
        #expect(throws: Full.self) {
            try run.run { _ in TenantResult(.done, "fine", cells: [.count(1)]) }
        }
    }
}
