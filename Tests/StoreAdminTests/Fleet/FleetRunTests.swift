import ContextCore
import Foundation
import Synchronization
import Testing

@testable import StoreAdmin

/// A run over tenants, whatever its work is.
struct FleetRunTests {
    /// A barrier that releases work in groups of the expected number, and counts how many run at once.
    private final class Barrier: Sendable {
        let counts = Mutex((begun: 0, now: 0, most: 0))
        private let size: Int
        private let groups: [DispatchSemaphore]

        init(size: Int, of total: Int) {
            self.size = size
            groups = (0..<(total / size)).map { _ in DispatchSemaphore(value: 0) }
        }

        /// Waits until the caller's group is complete, which needs the full number at once.
        func pass() {
            let number = counts.withLock { counts in
                counts.now += 1
                counts.most = max(counts.most, counts.now)
                defer { counts.begun += 1 }
                return counts.begun
            }
            defer { counts.withLock { $0.now -= 1 } }
            let group = groups[number / size]
            if number % size == size - 1 {
                for _ in 1..<size { group.signal() }
            } else {
                #expect(group.wait(timeout: .now() + 60) == .success)
            }
        }
    }

    private let bench: AdminBench
    private static let tenants = (10..<22).map { "t\($0)" }

    /// Creates tenants with empty files: the work of these tests doesn't open them.
    init() throws {
        bench = try AdminBench()
        for tenant in Self.tenants { try bench.write("", to: "fleet.\(tenant).sqlite") }
    }

    private func call(
        _ words: [String], _ format: OutputFormat = .table,
        stopRequest: StopRequest = .none
    ) throws -> CommandCall {
        let arguments = try ArgumentParser.parse(
            words + ["-s", "sqlite:fleet.sqlite"], for: FleetCheckCommand().declaration)
        return CommandCall(
            arguments: arguments, tool: bench.tool, format: format,
            output: Output(data: { _ in }, message: { _ in }), stopRequest: stopRequest)
    }

    private let plan = FleetRun.Plan(
        schema: "fleet.test", words: [.done: "worked on"], columns: [.init("number", isRightAligned: true)])

    @Test(arguments: [1, 3])
    func `Exactly the requested number of tenants is processed at once`(jobs: Int) throws {
        let barrier = Barrier(size: jobs, of: Self.tenants.count)
        let report = try FleetRun(call(["--jobs", "\(jobs)"]), plan).run { _ in
            barrier.pass()
            return TenantResult(.done, "fine", cells: [.count(1)])
        }
        #expect(report.exit == .success)
        #expect(barrier.counts.withLock { $0.most } == jobs)
    }

    @Test func `The rows of a document are sorted by name, whichever ends first`() throws {
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

    @Test func `The failure of a tenant is one line, and doesn't affect others`() throws {
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
            "t13", TextStyle(), isVerbose: false, showsDuration: true)
        #expect(line == "t13  failed: SC3001 one two\n")
    }

    @Test func `After a failure no further tenant is started if configured`() throws {
        let begun = Mutex<[String]>([])
        let report = try FleetRun(call(["--fail-fast", "--jobs", "1"]), plan).run { call in
            begun.withLock { $0.append(call.arguments["tenant"] ?? "") }
            if call.arguments["tenant"] == "t12" { throw StoreError(.busy, "It is busy.", remedy: nil) }
            return TenantResult(.done, "fine", cells: [.count(1)])
        }
        #expect(begun.withLock { $0 } == ["t10", "t11", "t12"])
        #expect(report.exit == .differences)
        // The failed tenant is reported, and the run can continue after it.
        #expect(report.json["next"]?.stringValue == "t13")
        #expect(
            report.text(TextStyle()).hasSuffix(
                "failed: t12\nTo continue, run the same command again, or add --from t13.\n"))
        #expect(report.json["summary"]?["left"].intValue == 9)
    }

    @Test(arguments: [(SIGINT, ExitCode.interrupted), (SIGTERM, .terminated)])
    func `A signal stops a run, which prints where to continue`(signal: Int32, exit: ExitCode) throws {
        let done = Mutex(0)
        let stopRequest = StopRequest.polling { done.withLock { $0 } >= 3 ? signal : nil }
        let report = try FleetRun(call(["--jobs", "1"], stopRequest: stopRequest), plan).run { call in
            done.withLock { $0 += 1 }
            // Work that checks for interruptions stops, and its tenant is not done.
            try call.stopRequest.throwIfRequested("The work", hint: "Go on.")
            return TenantResult(.done, "fine", cells: [.count(1)])
        }
        #expect(report.exit == exit)
        #expect(report.text(TextStyle()).hasPrefix("2 worked on, 1 stopped, 9 not started\n"))
        #expect(report.text(TextStyle()).contains("--from t12"))
    }

    @Test func `Invalid options end the run, and are no failure of a tenant`() throws {
        let run = try FleetRun(call(["--jobs", "2"]), plan)
        let error = #expect(throws: AdminError.self) {
            try run.run { _ in throw AdminError.usage("--retries takes a whole number.") }
        }
        #expect(error?.exit == .usage)
        #expect(throws: AdminError.self) { try FleetRun(call(["--jobs", "0"]), plan) }
    }

    @Test func `The number of concurrent tenants has a limit`() throws {
        _ = try FleetRun(call(["--jobs", "64"]), plan)
        let error = #expect(throws: AdminError.self) { try FleetRun(call(["--jobs", "65"]), plan) }
        #expect(error?.exit == .usage && error?.message.contains("64") == true)
    }

    /// Runs work whose lines can't be printed.
    private func run(_ words: [String] = [], failing error: any Error, failed: String? = nil) throws
        -> (done: Set<String>, error: AdminError?)
    {
        let call = try call(words)
        let done = Mutex<Set<String>>([])
        let run = try FleetRun(
            CommandCall(
                arguments: call.arguments, tool: call.tool, format: .table,
                output: Output(data: { _ in throw error }, message: { _ in })), plan)
        let thrown = #expect(throws: AdminError.self) {
            try run.run { call in
                let tenant = call.arguments["tenant"] ?? ""
                done.withLock { _ = $0.insert(tenant) }
                if tenant == failed { throw AdminError.badData("It is damaged.") }
                return TenantResult(.done, "fine", cells: [.count(1)])
            }
        }
        return (done.withLock { $0 }, thrown)
    }

    private static let closedPipe = CocoaError(
        .fileWriteUnknown,
        userInfo: [NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: Int(EPIPE))])

    @Test func `The work continues if its output isn't read, and doesn't end with success`() throws {
        let outcome = try run(failing: Self.closedPipe, failed: "t15")
        #expect(outcome.done == Set(Self.tenants))
        #expect(outcome.error?.exit == .inputOutput)
        #expect(outcome.error?.message.contains("11 worked on, 1 failed") == true)
        #expect(outcome.error?.message.contains("failed: t15") == true)
        #expect(try run(failing: CocoaError(.fileWriteOutOfSpace)).error?.exit == .inputOutput)
    }

    @Test func `A closed output doesn't turn findings into success`() throws {
        bench.failure = Self.closedPipe
        // The files of the tenants are empty, so the work fails for each.
        #expect(bench.run("fleet", "check", "-s", "sqlite:fleet.sqlite", "--json").exit == .differences)
        #expect(bench.run("fleet", "check", "-s", "sqlite:fleet.sqlite").exit == .inputOutput)
        #expect(bench.run("fleet", "list", "-s", "sqlite:fleet.sqlite").exit == .success)
    }

    @Test func `An address without tenants is an error that names it`() throws {
        try bench.freeze("V1", ShopExport.model)
        for words in [["status"], ["migrate"], ["check"], ["backup"]] {
            let outcome = bench.run(["fleet"] + words + ["-s", "sqlite:flet.sqlite"])
            #expect(outcome.exit == .inputMissing, "\(words)")
            #expect(
                outcome.problems.contains("no tenant has a store at sqlite:")
                    && outcome.problems.contains("/flet.sqlite."), "\(outcome.problems)")
        }
        let list = bench.run("fleet", "list", "-s", "sqlite:flet.sqlite")
        #expect(list.exit == .success && list.output.isEmpty, "\(list.output)")
        #expect(try bench.json("fleet", "list", "-s", "sqlite:flet.sqlite")["rows"]?.elements == [])
    }

    @Test func `Formats without a summary print it to standard error`() throws {
        for format in ["csv", "md", "jsonl"] {
            let outcome = bench.run("fleet", "check", "-s", "sqlite:fleet.sqlite", "-o", format, "--quiet")
            #expect(
                outcome.problems.hasPrefix("12 failed\nfailed: t10, t11, "), "\(format): \(outcome.problems)")
            #expect(!outcome.output.contains("12 failed"))
        }
    }

    @Test func `An unreadable folder is no internal error`() throws {
        let outcome = bench.run("fleet", "list", "-s", "sqlite:fleet.t10.sqlite/fleet.sqlite")
        #expect(outcome.exit == .inputOutput, "\(outcome.problems)")
        #expect(outcome.problems.contains("can't be read: Not a directory"), "\(outcome.problems)")
    }

    @Test func `The address is resolved once for all tenants`() throws {
        try bench.write(#"{"stores": {"own": "sqlite:fleet.sqlite"}}"#, to: "storectl.json")
        let folder = bench.folder
        let arguments = try ArgumentParser.parse(["-s", "own"], for: FleetCheckCommand().declaration)
        let run = try FleetRun(
            CommandCall(
                arguments: arguments, tool: bench.tool, format: .table,
                output: Output(data: { _ in }, message: { _ in })), plan)
        try FileManager.default.removeItem(atPath: folder + "/storectl.json")
        let report = try run.run { call in
            let store = try call.store()
            #expect(store.title == "own/\(call.arguments["tenant"] ?? "")")
            return TenantResult(.done, "fine", cells: [.count(1)])
        }
        #expect(report.exit == .success, "\(report.text(TextStyle()))")
    }
}
