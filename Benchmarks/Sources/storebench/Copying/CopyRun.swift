import ContextCore
import Foundation
import PostgresBackend
import SQLiteBackend

/// Measures `storectl data copy` between backends: rows per second of CPU time, and the growth of its memory with the number of rows.
///
/// It runs the `storectl` in this program's folder, which must be built first.
struct CopyRun {
    let options: Options

    /// The bar: the minimum number of rows per second of CPU time.
    private static let minRowsPerSecond = 150_000.0
    /// The bar: the maximum growth of the peak memory, in megabytes, with ten times the rows.
    private static let maximumGrowth = 32.0
    private static let tool = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent("storectl")

    /// The measurements of a copy.
    private struct Copy {
        let rows: Int
        let wall: Double
        let processor: Double
        /// The peak memory of the process.
        let megabytes: Double

        var rowsPerSecond: Double { Double(rows) / processor }
    }

    /// Prints the measurements of the copies, and returns whether the bars are met.
    func run() async throws -> Bool {
        guard FileManager.default.isExecutableFile(atPath: Self.tool.path) else {
            throw Options.UsageError(
                description:
                    "build storectl first: swift build -c release --package-path Benchmarks --product storectl"
            )
        }
        let maximumRows = Int(1_000_000 * (options.scale ?? 1))
        let folder = try WorkFolder()
        defer { folder.remove() }
        // A URL with a password must not be on the command line.
        try #"{"stores": {"from": {"url": {"env": "COPY_FROM"}}, "to": {"url": {"env": "COPY_TO"}}}}"#
            .write(toFile: folder.path("storectl.json"), atomically: true, encoding: .utf8)
        var meetsBar = true
        for verify in ["none", "full"] {
            var small: [String: Copy] = [:]
            for rows in [maximumRows / 10, maximumRows] {
                for (name, copy) in try await copies(rows, verify, folder) {
                    let growth = small[name].map { copy.megabytes - $0.megabytes }
                    let isMet =
                        rows < maximumRows
                        || copy.rowsPerSecond >= Self.minRowsPerSecond && (growth ?? 0) <= Self.maximumGrowth
                    meetsBar = meetsBar && isMet
                    print(
                        line(name, verify, copy, growth, rows < maximumRows ? "" : isMet ? "met" : "MISSED"))
                    fflush(nil)
                    small[name] = copy
                }
            }
        }
        return meetsBar
    }

    private func line(_ name: String, _ verify: String, _ copy: Copy, _ growth: Double?, _ verdict: String)
        -> String
    {
        if options.isJSON {
            return String(
                format:
                    #"{"workload":"copy","way":"%@","verify":"%@","rows":%d,"ms":%.1f,"cpu_ms":%.1f,"rows_per_cpu_second":%.0f,"rss_mb":%.1f,"ok":%@}"#,
                name, verify, copy.rows, copy.wall * 1000, copy.processor * 1000, copy.rowsPerSecond,
                copy.megabytes,
                verdict.isEmpty ? "null" : verdict == "met" ? "true" : "false")
        }
        return String(
            format:
                "%@, --verify %@, %d rows: %.0f rows per second of CPU time (%.2f s, elapsed %.2f s), peak %.0f MB%@  %@",
            name, verify, copy.rows, copy.rowsPerSecond, copy.processor, copy.wall, copy.megabytes,
            growth.map { String(format: ", %+.0f for ten times the rows", $0) } ?? "", verdict)
    }

    /// Copies a store of the given size in each direction that the backend has.
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
        let store = try await Store.open(url, backends: [.sqlite], model: WorkloadEnvironment.model)
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

    /// Waits for a process to end, and returns its peak memory.
    ///
    /// It returns 0 on systems other than Linux. The system's own figure for ended children includes the memory of this process, of which
    /// each child starts as a copy.
    private static func peak(of process: Process) -> Double {
        var peak = 0.0
        while process.isRunning {
            peak = max(peak, PeakMemory.peak(of: process.processIdentifier))
            usleep(5000)
        }
        process.waitUntilExit()
        return peak
    }

    /// Returns the user and system time, in seconds, of the ended child processes.
    private static func children() -> Double {
        var usage = rusage()
        // The value of RUSAGE_CHILDREN, whose type differs between platforms.
        getrusage(-1, &usage)
        return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    }
}
