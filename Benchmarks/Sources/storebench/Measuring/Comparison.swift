import CBaseline

/// Runs the two sides of a workload in turn, round after round, in one process.
struct Comparison {
    let workload: Workload
    let backend: BackendName
    var scale = 1.0
    /// How many rounds are timed.
    var rounds = 0
    var isProfiled = false

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
        // The first round warms both sides up, and shows whether they leave the same behind. In the second their statements are counted, which takes a little time.
        _ = try await round(sides)
        try check(baseline: try await sides.baseline.stored(), ours: try await sides.ours.stored())
        baseline_count(1)
        let counted = try await round(sides)
        baseline_count(0)
        var timed: [Round] = []
        for _ in 0..<rounds { timed.append(try await round(sides)) }
        return Result(workload: workload, backend: backend, counted: counted, rounds: timed)
    }

    private func round(_ sides: Sides) async throws -> Round {
        let round = Round(baseline: try await measure(sides.baseline), ours: try await measure(sides.ours))
        try check(baseline: round.baseline.checksum, ours: round.ours.checksum)
        return round
    }

    private func check(baseline: Int64, ours: Int64) throws {
        guard baseline != ours else { return }
        throw Mismatch(workload: workload.name, baseline: baseline, ours: ours)
    }

    private func measure(_ side: any Side) async throws -> Measurement {
        try await side.prepare()
        let watch = Stopwatch(isProfiled: isProfiled)
        let memory = PeakMemory()
        let checksum = try await side.run(watch)
        watch.stop()
        return Measurement(checksum: checksum, reading: watch.total, megabytes: memory.growth)
    }
}

/// What one side took in one round.
struct Measurement {
    let checksum: Int64
    let reading: Stopwatch.Reading
    /// The peak growth of the process.
    let megabytes: Double
}

/// A round: both sides, one after the other.
struct Round {
    let baseline: Measurement
    let ours: Measurement

    var ratio: Double { ours.reading.wall / baseline.reading.wall }
}
