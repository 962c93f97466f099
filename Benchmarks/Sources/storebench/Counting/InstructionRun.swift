import Foundation

/// Counts what the hot loops take in instructions and allocations, by running this program under valgrind's callgrind.
///
/// A clock tells little on a machine that others use; these counts tell the same every time, nearly. Where several threads
/// wait for each other, as in the workloads with several tasks, they don't, so those are left out.
struct InstructionRun {
    let options: Options

    private static let workloads: [BackendName: [Workload]] = [
        .sqlite: [
            .insert, .fetch, .lookUp, .lookUpKnown, .lookUpOwn(.pool), .lookUpOwn(.store), .update, .delete,
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

    /// What was counted of one workload.
    private struct Count {
        let cost: Thresholds.Cost
        /// All instructions of our side, over those of the baseline.
        let ratio: Double
    }

    /// Prints what was counted; tells whether nothing is more than on file.
    func run() throws -> Bool {
        var thresholds = try Thresholds.onFile()
        let scale = thresholds.scale
        let workloads = (Self.workloads[options.backend] ?? []).filter {
            options.only.isEmpty || options.only.contains($0.name)
        }
        var counts = try count(workloads, scale)
        // Threads meet in another order beside other work, and then each other's turns cost more: the least of a few counts is the cost.
        for _ in 0..<Self.recounts where !options.records {
            let late = try workloads.filter { try excess($0, counts, thresholds) != nil }
            if late.isEmpty { break }
            counts.merge(try count(late, scale)) { $0.cost.instructions <= $1.cost.instructions ? $0 : $1 }
        }
        var holds = true
        for workload in workloads {
            guard let count = counts[workload.name] else { continue }
            let excess = try excess(workload, counts, thresholds)
            holds = holds && (excess == nil || options.records)
            print(line(workload, count, excess))
            fflush(nil)
            thresholds.backends[options.backend.rawValue, default: [:]][workload.name] = count.cost
        }
        if options.records {
            thresholds.architecture = Thresholds.thisArchitecture
            try thresholds.save()
        }
        return holds
    }

    /// How often a workload is counted again that takes more than is on file.
    private static let recounts = 2

    /// What a workload takes more than is on file; nil where it doesn't.
    private func excess(
        _ workload: Workload, _ counts: [String: Count], _ thresholds: Thresholds
    ) throws -> String? {
        guard !options.records, let count = counts[workload.name] else { return nil }
        guard let limit = thresholds.backends[options.backend.rawValue]?[workload.name] else {
            return "nothing is on file; storebench --instructions --record puts it there"
        }
        // Another processor has other instructions; all the rest is the same.
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
            + (excess.map { "MISSED: \($0)" } ?? "held")
    }

    // MARK: Counting

    private func count(_ workloads: [Workload], _ scale: Double) throws -> [String: Count] {
        let folder = try WorkFolder()
        defer { folder.remove() }
        let lines = try runUnderCallgrind(workloads.map(\.name), scale, folder)
        // Each side is measured twice, and the second time counts: a workload leaves four files, C's before ours.
        let order = Workload.all.map(\.name).filter { name in workloads.contains { $0.name == name } }
        var counts: [String: Count] = [:]
        for (place, name) in order.enumerated() {
            let baseline = try CallgrindProfile(path: folder.path("counts.\(4 * place + 3)"))
            let ours = try CallgrindProfile(path: folder.path("counts.\(4 * place + 4)"))
            guard let line = lines.first(where: { $0.workload == name }) else {
                throw Failure(description: "Nothing was said of \(name).")
            }
            counts[name] = Count(
                cost: Thresholds.Cost(
                    instructions: ours.own, allocations: ours.allocations, statements: line.statements,
                    roundTrips: line.roundTrips), ratio: Double(ours.all) / Double(baseline.all))
        }
        return counts
    }

    /// What the program says of a workload.
    private struct Line: Decodable {
        let workload: String
        let statements: Int
        let roundTrips: Int
    }

    private func runUnderCallgrind(_ names: [String], _ scale: Double, _ folder: WorkFolder) throws -> [Line]
    {
        // Valgrind gives up at debugging information of kinds that it doesn't know, so it gets a program without.
        let program = folder.path("storebench")
        _ = try output(
            of: ["strip", "--strip-debug", "-o", program, CommandLine.arguments[0]], from: "binutils")
        let data = try output(
            of: [
                "valgrind", "--quiet", "--tool=callgrind", "--callgrind-out-file=\(folder.path("counts"))",
                "--zero-before=baseline_measuring_begins", "--dump-before=baseline_measuring_ends",
                program, "--check", Options.profiled, "--json", "--backend", options.backend.rawValue,
                "--scale", "\(scale)", "--only", names.joined(separator: ","),
            ], from: "valgrind")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try data.split(separator: UInt8(ascii: "\n")).map { try decoder.decode(Line.self, from: $0) }
    }

    /// Runs a program of a package, and answers what it prints.
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
