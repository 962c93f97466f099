import CBaseline

/// Runs the two sides of a workload alternately in one process.
struct Comparison {
    let workload: Workload
    let backend: BackendName
    var scale = 1.0
    /// The number of timed rounds.
    var rounds = 0
    var isProfiled = false

    /// The number of rounds in which memory is measured.
    private static let memoryRounds = 3

    struct Mismatch: Error, CustomStringConvertible {
        let workload: String
        let baseline: Int64
        let ours: Int64

        var description: String {
            "\(workload): the checksum of the baseline is \(baseline), that of the object graph \(ours). They did different work."
        }
    }

    func run() async throws -> Result {
        let environment = try WorkloadEnvironment(backend: backend, scale: scale, isProfiled: isProfiled)
        do {
            let result = try await run(on: environment)
            try await environment.close()
            return result
        } catch {
            try? await environment.close()
            throw error
        }
    }

    private func run(on environment: WorkloadEnvironment) async throws -> Result {
        let sides = try await workload.sides(environment)
        // The first round is a warm-up, and checks that both sides store the same rows. The second counts statements, which takes
        // a little time.
        _ = try await round(sides)
        try check(baseline: try await sides.baseline.stored(), ours: try await sides.ours.stored())
        baseline_count(1)
        let counted = try await round(sides)
        baseline_count(0)
        var (memoryRounds, timed): ([Round], [Round]) = ([], [])
        for _ in 0..<min(rounds, Self.memoryRounds) {
            memoryRounds.append(try await round(sides, measuresMemory: true))
        }
        for _ in 0..<rounds { timed.append(try await round(sides)) }
        return Result(
            workload: workload, backend: backend, counted: counted, memoryRounds: memoryRounds, rounds: timed)
    }

    private func round(_ sides: Sides, measuresMemory: Bool = false) async throws -> Round {
        let round = Round(
            baseline: try await measure(sides.baseline, measuresMemory),
            ours: try await measure(sides.ours, measuresMemory))
        try check(baseline: round.baseline.checksum, ours: round.ours.checksum)
        return round
    }

    private func check(baseline: Int64, ours: Int64) throws {
        guard baseline != ours else { return }
        throw Mismatch(workload: workload.name, baseline: baseline, ours: ours)
    }

    /// Runs one side once.
    ///
    /// Memory is measured in separate rounds, because measuring it first returns all freed memory to the system: every page is then mapped
    /// again, which would distort the time.
    private func measure(_ side: any Side, _ measuresMemory: Bool) async throws -> Measurement {
        try await side.prepare()
        let watch = Stopwatch(isProfiled: isProfiled)
        let memory = measuresMemory ? PeakMemory() : nil
        let checksum = try await side.run(watch)
        watch.stop()
        return Measurement(checksum: checksum, reading: watch.total, megabytes: memory?.growth ?? 0)
    }
}

/// The measurements of one side in one round.
struct Measurement {
    let checksum: Int64
    let reading: Stopwatch.Reading
    /// The peak growth of the process; 0 in rounds that don't measure memory.
    let megabytes: Double
}

/// The measurements of both sides in one round.
struct Round {
    let baseline: Measurement
    let ours: Measurement

    var ratio: Double { ours.reading.wall / baseline.reading.wall }
}
