import ContextCore
import Foundation
import PostgresBackend
import SQLiteBackend

/// Measures `storectl data copy` between backends: rows a second of CPU, and whether its memory stays flat.
///
/// The copies are made by `storectl`, which lies beside this program once it was built there.
struct CopyRun {
    let options: Options

    /// Rows a second of one processor's time that a copy has to move.
    private static let pace = 150_000.0
    /// Megabytes by which ten times the rows may raise a copy's peak.
    private static let flatness = 32.0
    private static let tool = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent("storectl")

    /// A copy that was made.
    private struct Copy {
        let rows: Int
        let wall: Double
        let processor: Double
        /// The most memory that the process had.
        let megabytes: Double

        var pace: Double { Double(rows) / processor }
    }

    /// Prints what the copies took, and tells whether the bars are held.
    func run() async throws -> Bool {
        guard FileManager.default.isExecutableFile(atPath: Self.tool.path) else {
            throw Options.Misuse(
                description:
                    "build storectl first: swift build -c release --package-path Benchmarks --product storectl"
            )
        }
        let most = Int(1_000_000 * (options.scale ?? 1))
        let folder = try WorkFolder()
        defer { folder.remove() }
        // A password may not stand on the command line.
        try #"{"stores": {"from": {"url": {"env": "COPY_FROM"}}, "to": {"url": {"env": "COPY_TO"}}}}"#
            .write(toFile: folder.path("storectl.json"), atomically: true, encoding: .utf8)
        var holds = true
        for verify in ["none", "full"] {
            var small: [String: Copy] = [:]
            for rows in [most / 10, most] {
                for (name, copy) in try await copies(rows, verify, folder) {
                    let growth = small[name].map { copy.megabytes - $0.megabytes }
                    let isHeld =
                        rows < most || copy.pace >= Self.pace && (growth ?? 0) <= Self.flatness
                    holds = holds && isHeld
                    print(line(name, verify, copy, growth, rows < most ? "" : isHeld ? "held" : "MISSED"))
                    fflush(nil)
                    small[name] = copy
                }
            }
        }
        return holds
    }

    private func line(_ name: String, _ verify: String, _ copy: Copy, _ growth: Double?, _ verdict: String)
        -> String
    {
        if options.isJSON {
            return String(
                format:
                    #"{"workload":"copy","way":"%@","verify":"%@","rows":%d,"ms":%.1f,"cpu_ms":%.1f,"rows_per_cpu_second":%.0f,"rss_mb":%.1f,"ok":%@}"#,
                name, verify, copy.rows, copy.wall * 1000, copy.processor * 1000, copy.pace, copy.megabytes,
                verdict.isEmpty ? "null" : verdict == "held" ? "true" : "false")
        }
        return String(
            format:
                "%@, --verify %@, %d rows: %.0f rows a second of CPU (%.2f s, %.2f s on the clock), %.0f MB at most%@  %@",
            name, verify, copy.rows, copy.pace, copy.processor, copy.wall, copy.megabytes,
            growth.map { String(format: ", %+.0f for ten times the rows", $0) } ?? "", verdict)
    }

    /// Copies as many rows each way that the backend allows.
    private func copies(_ rows: Int, _ verify: String, _ folder: WorkFolder) async throws -> [(String, Copy)]
    {
        let mark = "\(rows)_\(verify)"
        let source = "sqlite:\(folder.path("source_\(rows).sqlite"))"
        try await fill(source, rows)
        guard options.backend == .postgres else {
            let there = "sqlite:\(folder.path("copy_\(mark).sqlite"))"
            return [("sqlite to sqlite", try copy(source, there, rows, verify, folder))]
        }
        let server = try DatabaseServer()
        let schema = "copy_\(UUID().uuidString.prefix(8).lowercased())"
        let there = server.storeURL(schema: schema)
        let back = "sqlite:\(folder.path("back_\(mark).sqlite"))"
        let results = [
            ("sqlite to postgres", try copy(source, there, rows, verify, folder)),
            ("postgres to sqlite", try copy(there, back, rows, verify, folder)),
        ]
        try server.connect(schema: schema).run("DROP SCHEMA \"\(schema)\" CASCADE")
        return results
    }

    private func fill(_ url: String, _ rows: Int) async throws {
        let store = try await Store.open(url, backends: [.sqlite], model: Stage.model)
        if try await store.read("count", { try $0.count(Item.self) }) == 0 {
            let part = 100_000
            for first in stride(from: 0, to: rows, by: part) {
                let values = ItemRows(count: min(part, rows - first), first: first + 1).values
                try await store.insert(values)
            }
        }
        await store.close()
    }

    private func copy(
        _ source: String, _ destination: String, _ rows: Int, _ verify: String, _ folder: WorkFolder
    ) throws -> Copy {
        let process = Process()
        process.executableURL = Self.tool
        process.arguments = [
            "data", "copy", "from", "to", "--verify", verify, "--config", folder.path("storectl.json"),
        ]
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["COPY_FROM": source, "COPY_TO": destination]) { _, ours in ours }
        process.standardOutput = FileHandle.nullDevice
        let before = Self.children()
        let start = DispatchTime.now().uptimeNanoseconds
        try process.run()
        let megabytes = Self.peak(of: process)
        let wall = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
        let processor = Self.children() - before
        guard process.terminationStatus == 0 else {
            throw CDatabase.Failure(
                description: "The copy ended with exit code \(process.terminationStatus).")
        }
        return Copy(rows: rows, wall: wall, processor: processor, megabytes: megabytes)
    }

    /// Waits for a process to end, and tells the most memory it had.
    ///
    /// Linux only: elsewhere it tells 0. What the system says afterwards counts this process too, of which the other began as a copy.
    private static func peak(of process: Process) -> Double {
        var peak = 0.0
        while process.isRunning {
            peak = max(peak, PeakMemory.peak(of: process.processIdentifier))
            usleep(5000)
        }
        process.waitUntilExit()
        return peak
    }

    /// Seconds of user and system time of the processes that this one has begun and that have ended.
    private static func children() -> Double {
        var usage = rusage()
        // Written out, for the constant has another type on each platform: RUSAGE_CHILDREN.
        getrusage(-1, &usage)
        return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    }
}
