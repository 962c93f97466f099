import Foundation

/// Counts the instructions and allocations of the hot loops, by running this program under valgrind's callgrind.
///
/// Unlike times, these counts are nearly the same on every run, even on a busy machine. The counts of workloads with several tasks that
/// wait for each other vary, so these workloads are excluded.
struct InstructionRun {
    let options: Options

    private static let workloads: [BackendName: [Workload]] = [
        .sqlite: [
            .insert, .fetch, .lookUp, .lookUpRegistered, .lookUpOwn(.pool), .lookUpOwn(.store), .update,
            .delete,
            .smallSaves(.pool), .filter,
            .find, .graphCreate, .graphPrefetch, .cascade,
        ],
        .postgres: [
            .insert, .fetch, .lookUp, .update, .delete, .smallSaves(.pool), .graphCreate, .graphPrefetch,
            .cascade,
        ],
        .memory: [.insert, .fetch, .lookUp],
    ]

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The counts of one workload.
    private struct Count {
        let cost: Thresholds.Cost
        /// The ratio of all instructions of our side to those of the baseline.
        let ratio: Double
    }

    /// Prints the counts, and returns whether none exceeds its limit.
    func run() throws -> Bool {
        var thresholds = try Thresholds.recorded()
        let scale = thresholds.scale
        let workloads = (Self.workloads[options.backend] ?? []).filter {
            options.only.isEmpty || options.only.contains($0.name)
        }
        var counts = try count(workloads, scale)
        // Under load, threads wait for each other more often, which costs instructions, so the minimum of a few counts is used.
        for _ in 0..<Self.maximumRecounts where !options.records {
            let late = try workloads.filter { try excess($0, counts, thresholds) != nil }
            if late.isEmpty { break }
            counts.merge(try count(late, scale)) { $0.cost.instructions <= $1.cost.instructions ? $0 : $1 }
        }
        var meetsBar = true
        for workload in workloads {
            guard let count = counts[workload.name] else { continue }
            let excess = try excess(workload, counts, thresholds)
            meetsBar = meetsBar && (excess == nil || options.records)
            print(line(workload, count, excess))
            fflush(nil)
            thresholds.backends[options.backend.rawValue, default: [:]][workload.name] = count.cost
        }
        if options.records {
            thresholds.architecture = Thresholds.thisArchitecture
            try thresholds.save()
        }
        return meetsBar
    }

    /// The number of times that a workload that exceeds its limit is counted again.
    private static let maximumRecounts = 2

    /// Returns a description of the counts that exceed a workload's limits; nil if none does.
    private func excess(
        _ workload: Workload, _ counts: [String: Count], _ thresholds: Thresholds
    ) throws -> String? {
        guard !options.records, let count = counts[workload.name] else { return nil }
        guard let limit = thresholds.backends[options.backend.rawValue]?[workload.name] else {
            return "it has no recorded counts; run storebench --instructions --record"
        }
        // Instruction counts differ between processor architectures; the other counts don't.
        var cost = count.cost
        if thresholds.architecture != Thresholds.thisArchitecture { cost.instructions = limit.instructions }
        return thresholds.excess(of: cost, over: limit)
    }

    private func line(_ workload: Workload, _ count: Count, _ excess: String?) -> String {
        let cost = count.cost
        if options.isJSON {
            return String(
                format:
                    #"{"workload":"%@","backend":"%@","instructions":%d,"allocations":%d,"statements":%d,"round_trips":%d,"instruction_ratio":%.3f,"ok":%@}"#,
                workload.name, options.backend.rawValue, cost.instructions, cost.allocations, cost.statements,
                cost.roundTrips, count.ratio, excess == nil ? "true" : "false")
        }
        return workload.name.padding(toLength: 18, withPad: " ", startingAt: 0)
            + String(
                format:
                    "%11d instructions, %7d allocations, %6d statements, %5d trips, %6.2f × C's instructions  ",
                cost.instructions, cost.allocations, cost.statements, cost.roundTrips, count.ratio)
            + (excess.map { "MISSED: \($0)" } ?? "met")
    }

    // MARK: Counting

    private func count(_ workloads: [Workload], _ scale: Double) throws -> [String: Count] {
        let folder = try WorkFolder()
        defer { folder.remove() }
        let lines = try runUnderCallgrind(workloads.map(\.name), scale, folder)
        // Each side is measured twice, and the second measurement is used: a workload has four files, C's before ours.
        let order = Workload.all.map(\.name).filter { name in workloads.contains { $0.name == name } }
        var counts: [String: Count] = [:]
        for (place, name) in order.enumerated() {
            let baseline = try CallgrindProfile(path: folder.path("counts.\(4 * place + 3)"))
            let ours = try CallgrindProfile(path: folder.path("counts.\(4 * place + 4)"))
            guard let line = lines.first(where: { $0.workload == name }) else {
                throw Failure(description: "The output of storebench has no line for the workload \(name).")
            }
            counts[name] = Count(
                cost: Thresholds.Cost(
                    instructions: ours.own, allocations: ours.allocations, statements: line.statements,
                    roundTrips: line.roundTrips), ratio: Double(ours.all) / Double(baseline.all))
        }
        return counts
    }

    /// The program's output for a workload.
    private struct Line: Decodable {
        let workload: String
        let statements: Int
        let roundTrips: Int
    }

    private func runUnderCallgrind(_ names: [String], _ scale: Double, _ folder: WorkFolder) throws -> [Line]
    {
        // Valgrind fails on debug information in formats that it doesn't know, so the program is stripped.
        let program = folder.path("storebench")
        _ = try output(
            of: ["strip", "--strip-debug", "-o", program, CommandLine.arguments[0]], from: "binutils")
        let data = try output(
            of: [
                "valgrind", "--quiet", "--tool=callgrind", "--callgrind-out-file=\(folder.path("counts"))",
                "--zero-before=baseline_measuring_begins", "--dump-before=baseline_measuring_ends",
                program, "--check", Options.profiledOption, "--json", "--backend", options.backend.rawValue,
                "--scale", "\(scale)", "--only", names.joined(separator: ","),
            ], from: "valgrind")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try data.split(separator: UInt8(ascii: "\n")).map { try decoder.decode(Line.self, from: $0) }
    }

    /// Runs a program of a Debian package, and returns its output.
    private func output(of words: [String], from package: String) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let code = process.terminationStatus
            throw Failure(
                description:
                    "\(words[0]) ended with exit code \(code); is it installed (apt install \(package))?")
        }
        return data
    }
}
