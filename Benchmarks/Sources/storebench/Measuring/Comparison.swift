import CBaseline

/// Runs the two sides of a workload in turn, round after round, in one process.
struct Comparison {
    let workload: Workload
    let backend: BackendName
    var scale = 1.0
    /// How many rounds are timed.
    var rounds = 0
    var isProfiled = false

    /// How many rounds there are for memory.
    private static let weighedRounds = 3

    struct Mismatch: Error, CustomStringConvertible {
        let workload: String
        let baseline: Int64
        let ours: Int64

        var description: String {
            "\(workload): the baseline came to \(baseline), the object graph to \(ours). They did different work."
        }
    }

    func run() async throws -> Result {
        let stage = try Stage(backend: backend, scale: scale, isProfiled: isProfiled)
        do {
            let result = try await run(on: stage)
            try await stage.close()
            return result
        } catch {
            try? await stage.close()
            throw error
        }
    }

    private func run(on stage: Stage) async throws -> Result {
        let sides = try await workload.sides(stage)
        // The first round warms both sides up, and shows whether they leave the same behind. In the second their statements are
        // counted, which takes a little time.
        _ = try await round(sides)
        try check(baseline: try await sides.baseline.stored(), ours: try await sides.ours.stored())
        baseline_count(1)
        let counted = try await round(sides)
        baseline_count(0)
        var (weighed, timed): ([Round], [Round]) = ([], [])
        for _ in 0..<min(rounds, Self.weighedRounds) {
            weighed.append(try await round(sides, weighsMemory: true))
        }
        for _ in 0..<rounds { timed.append(try await round(sides)) }
        return Result(workload: workload, backend: backend, counted: counted, weighed: weighed, rounds: timed)
    }

    private func round(_ sides: Sides, weighsMemory: Bool = false) async throws -> Round {
        let round = Round(
            baseline: try await measure(sides.baseline, weighsMemory),
            ours: try await measure(sides.ours, weighsMemory))
        try check(baseline: round.baseline.checksum, ours: round.ours.checksum)
        return round
    }

    private func check(baseline: Int64, ours: Int64) throws {
        guard baseline != ours else { return }
        throw Mismatch(workload: workload.name, baseline: baseline, ours: ours)
    }

    /// Runs one side once.
    ///
    /// Its memory is weighed in rounds of their own: whoever does it gives back all that was freed, and a side that begins so has
    /// the system hand out every page anew, which no program does between two requests.
    private func measure(_ side: any Side, _ weighsMemory: Bool) async throws -> Measurement {
        try await side.prepare()
        let watch = Stopwatch(isProfiled: isProfiled)
        let memory = weighsMemory ? PeakMemory() : nil
        let checksum = try await side.run(watch)
        watch.stop()
        return Measurement(checksum: checksum, reading: watch.total, megabytes: memory?.growth ?? 0)
    }
}

/// What one side took in one round.
struct Measurement {
    let checksum: Int64
    let reading: Stopwatch.Reading
    /// The peak growth of the process, where it was weighed.
    let megabytes: Double
}

/// A round: both sides, one after the other.
struct Round {
    let baseline: Measurement
    let ours: Measurement

    var ratio: Double { ours.reading.wall / baseline.reading.wall }
}
