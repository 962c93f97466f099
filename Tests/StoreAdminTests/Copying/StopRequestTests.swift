import ContextCore
import Foundation
import Synchronization
import Testing

@testable import PostgresBackend
@testable import SQLiteBackend
@testable import StoreAdmin

/// Migrations and copies that are stopped between two parts, and can be resumed.
struct StopRequestTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    private static let first = """
        {"entities":{"Player":{"attributes":{"name":{"type":"string"},"score":{"type":"int64"}}}},"format":1}
        """
    private static let second = first.replacing(
        #""score":{"type":"int64"}"#, with: #""points":{"type":"int64"}"#)

    /// Creates the store `a` with many players, an empty store `b`, and a migration that computes a value of every player.
    private func project(_ place: TestPlace, _ rows: Int, to other: TestPlace = .sqlite) throws {
        (bench.variables["A"], bench.variables["B"]) = (place.freshURL(), other.freshURL())
        try bench.write(
            #"{"default": "a", "stores": {"a": {"url": {"env": "A"}}, "b": {"url": {"env": "B"}}}}"#,
            to: "storectl.json")
        try bench.write(Self.first, to: "V1.json")
        try bench.write(Self.second, to: "V2.json")
        let insert =
            place == .sqlite
            ? """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows)) \
            INSERT INTO player (_id, _version, name, score) SELECT i, 1, 'player ' || i, i FROM n
            """
            : """
            INSERT INTO player (_id, _version, name, score) \
            SELECT i, 1, 'player ' || i, i FROM generate_series(1, \(rows)) AS i
            """
        for words in [
            ["db", "create", "--model", "V1.json"], ["sql", "--write", insert],
            ["model", "freeze", "V1", "--model", "V1.json"], ["model", "freeze", "V2", "--model", "V2.json"],
            [
                "migrate", "new", "V1", "V2", "--removed", "Player.score", "--convert",
                "Player.points=score * 2",
            ],
        ] {
            let outcome = bench.run(words)
            try #require(outcome.exit == .success, "\(words): \(outcome.problems)")
        }
    }

    // MARK: By a request

    @Test(arguments: TestPlace.available, [(SIGINT, ExitCode.interrupted), (SIGTERM, .terminated)])
    func `A copy stops after a batch, and can be resumed`(place: TestPlace, stop: (Int32, ExitCode)) throws {
        try project(.sqlite, 5000, to: place)
        let asked = Mutex(0)
        bench.stopRequest = .polling {
            asked.withLock { count in
                count += 1
                return count > 1 ? stop.0 : nil
            }
        }
        let stopped = bench.run("data", "copy", "a", "b", "--json")
        #expect(stopped.exit == stop.1)
        #expect(stopped.problems.contains(#""code":"SC2107","exit":\#(stop.1.rawValue),"#))
        #expect(
            stopped.problems.contains("data copy --resume") && stopped.problems.contains(#""retryable":true"#)
        )
        bench.stopRequest = .none
        #expect(try (1...4000).contains(count("b")))
        #expect(bench.run("doctor", "-s", "b").output.contains("A copy into the store was not finished"))
        #expect(bench.run("data", "copy", "a", "b", "--resume").exit == .success)
    }

    @Test func `A complete copy can be stopped while it is compared`() throws {
        try project(.sqlite, 3000)
        let asked = Mutex(0)
        bench.stopRequest = .polling {
            asked.withLock { count in
                count += 1
                return count > 3 ? SIGINT : nil
            }
        }
        #expect(bench.run("data", "copy", "a", "b").exit == .interrupted)
        bench.stopRequest = .none
        #expect(bench.run("count", "Player", "-s", "b").output == "3000\n")
        #expect(bench.run("data", "copy", "a", "b", "--resume").exit == .success)
    }

    @Test(arguments: TestPlace.available)
    func `A migration stops before its next step, and can be resumed`(place: TestPlace) throws {
        try project(place, 2500)
        let asked = Mutex(0)
        bench.stopRequest = .polling {
            asked.withLock { count in
                count += 1
                return count > 2 ? SIGINT : nil
            }
        }
        let words = ["--accept-loss", "Player.score", "--backup", "none"]
        let stopped = bench.run(["migrate", "apply", "--phase", "contract"] + words)
        #expect(stopped.exit == .interrupted, "\(stopped.problems)")
        #expect(stopped.problems.contains("Continue with 'storectl migrate resume'"))
        bench.stopRequest = .none
        let status = bench.run("status", "--check")
        #expect(status.exit == .differences)
        #expect(status.output.contains("next       storectl migrate resume\n"), "\(status.output)")
        #expect(bench.run("doctor").output.contains("V1-V2 is unfinished: "))
        let resumed = bench.run(["migrate", "resume"] + words)
        #expect(resumed.exit == .success, "\(resumed.problems)")
        #expect(
            bench.run("query", "Player where name = \"player 77\"", "-f", "points", "-o", "csv").output
                == "points\r\n154\r\n")
        #expect(bench.run("status", "--check").exit == .success)
    }

    @Test func `A copy that has not started starts again`() throws {
        try project(.sqlite, 1)
        bench.stopRequest = .polling { SIGTERM }
        let stopped = bench.run("migrate", "apply", "--backup", "none", "--accept-loss", "Player.score")
        #expect(stopped.exit == .terminated)
        #expect(stopped.problems.contains("No migration is unfinished"))
        bench.stopRequest = .none
        #expect(bench.run("migrate", "status").output.contains("pending  V1-V2\n"))
    }

    // MARK: By signals

    /// Returns whether a process has a handler for a signal, according to the system.
    private static func heeds(_ number: Int32, _ process: Process) throws -> Bool {
        #if canImport(Darwin)
        var (info, size) = (kinfo_proc(), MemoryLayout<kinfo_proc>.stride)
        var name = [CTL_KERN, KERN_PROC, KERN_PROC_PID, process.processIdentifier]
        guard sysctl(&name, UInt32(name.count), &info, &size, nil, 0) == 0 else { return false }
        return info.kp_proc.p_sigcatch & 1 << UInt32(number - 1) != 0
        #else
        // The size of such a file is 0, although it has contents.
        let file = FileHandle(forReadingAtPath: "/proc/\(process.processIdentifier)/status")
        let status = String(decoding: try file?.readToEnd() ?? Data(), as: UTF8.self)
        let line = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
        let caught = line.flatMap { UInt64($0.dropFirst("SigCgt:".count).trimmingSpaces, radix: 16) } ?? 0
        return caught & 1 << UInt64(number - 1) != 0
        #endif
    }

    /// The exit status and the output of a process.
    private struct End: Sendable {
        let reason: Process.TerminationReason
        let status: Int32
        let said: String
    }

    /// Stops a process by a signal as soon as it has a handler, on a separate thread, since other tests may occupy the shared ones.
    private func stop(
        _ words: [String], by number: Int32, again: Bool = false, then release: @escaping @Sendable () -> Void
    ) async throws -> End {
        let problems = Pipe()
        let process = try bench.start(words, problems: problems)
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                let end = Result {
                    while process.isRunning, try !Self.heeds(number, process) { usleep(2000) }
                    kill(process.processIdentifier, number)
                    let output = problems.fileHandleForReading
                    var said = Data()
                    if again {
                        // Two simultaneous signals are merged into one, so the first one has to be handled before.
                        while !String(decoding: said, as: UTF8.self).contains("interrupt again to stop") {
                            let more = output.availableData
                            if more.isEmpty { break }
                            said += more
                        }
                        kill(process.processIdentifier, number)
                    }
                    release()
                    said += try output.readToEnd() ?? Data()
                    process.waitUntilExit()
                    return End(
                        reason: process.terminationReason, status: process.terminationStatus,
                        said: String(decoding: said, as: UTF8.self))
                }
                continuation.resume(with: end)
            }
        }
    }

    /// Blocks other writers of a file until the returned function is called.
    private func block(_ store: String) throws -> @Sendable () -> Void {
        let path = bench.variables[store, default: ""].dropFirst("sqlite:".count)
        let writer = try SQLiteConnection(
            path: bench.folder + "/" + path, access: .readAndWrite, timeout: .zero)
        try writer.execute("BEGIN IMMEDIATE")
        return { writer.close() }
    }

    /// Returns the number of players in a store.
    private func count(_ store: String) throws -> Int {
        let words = bench.run("count", "Player", "-s", store).output.trimmingCharacters(
            in: .whitespacesAndNewlines)
        return try #require(Int(words))
    }

    @Test(.timeLimit(.minutes(2)))
    func `A process that is stopped while it copies stops after a batch`() async throws {
        try project(.sqlite, 4000)
        try #require(bench.run("db", "create", "--model", "V1.json", "-s", "b").exit == .success)
        // It can't write anything before it is stopped.
        let end = try await stop(["data", "copy", "a", "b"], by: SIGINT, then: block("B"))
        #expect(end.reason == .exit && end.status == 130, "\(end)")
        #expect(end.said.contains("stopping after the current step") && end.said.contains("--resume"))
        #expect(try (1...2000).contains(count("b")))
        #expect(bench.run("data", "copy", "a", "b", "--resume").exit == .success)
    }

    @Test(.timeLimit(.minutes(2)), arguments: TestPlace.available)
    func `A process that is stopped while it waits to migrate has started nothing`(
        place: TestPlace
    ) async throws {
        try project(place, 10)
        let store = try bench.tool.store("a", config: nil)
        let release: () -> Void
        switch place {
        case .sqlite:
            let lock = MigrationLock(of: try StoreFile(store.url.path))
            try #require(try lock.tryLock())
            release = lock.unlock
        case .postgres:
            let connection = try PostgresMigrationConnection(
                PostgresConfiguration(store.url), MigrationOptions())
            try #require(try connection.tryLock())
            release = connection.unlock
        }
        let words = [
            "migrate", "apply", "--phase", "contract", "--accept-loss", "Player.score", "--backup", "none",
        ]
        let end = try await stop(words, by: SIGTERM) {}
        release()
        #expect(end.reason == .exit && end.status == 143, "\(end)")
        #expect(end.said.contains("No migration is unfinished"), "\(end)")
        #expect(bench.run(words).exit == .success)
        #expect(
            bench.run("query", "Player where name = \"player 7\"", "-f", "points", "-o", "csv").output
                == "points\r\n14\r\n")
    }

    @Test(.timeLimit(.minutes(2)))
    func `A second signal ends a process at once`() async throws {
        try project(.sqlite, 10)
        try #require(bench.run("db", "create", "--model", "V1.json", "-s", "b").exit == .success)
        let end = try await stop(["data", "copy", "a", "b"], by: SIGINT, again: true, then: block("B"))
        #expect(end.reason == .uncaughtSignal && end.status == SIGINT, "\(end)")
    }
}
