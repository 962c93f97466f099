import Foundation

/// Runs the two sides of a workload in turn, round after round, in one process.
struct Comparison {
    let workload: Workload
    let options: Options

    struct Mismatch: Error, CustomStringConvertible {
        let workload: String
        let baseline: Int64
        let ours: Int64

        var description: String {
            "\(workload): the baseline came to \(baseline), the object graph to \(ours). They did different work."
        }
    }

    func run() async throws -> Result {
        let folder = try WorkFolder()
        defer { folder.remove() }
        let sides = try await workload.sides(Stage(options: options, folder: folder.url))
        var rounds: [Round] = []
        // The first round warms both sides up, and proves that they agree.
        for number in 0...options.rounds {
            let baseline = try await measure(sides.baseline)
            let ours = try await measure(sides.ours)
            guard baseline.checksum == ours.checksum else {
                throw Mismatch(workload: workload.name, baseline: baseline.checksum, ours: ours.checksum)
            }
            if number > 0 || options.rounds == 0 { rounds.append(Round(baseline: baseline, ours: ours)) }
        }
        return Result(workload: workload, backend: options.backend, rounds: rounds)
    }

    private func measure(_ side: any Side) async throws -> Measurement {
        try await side.prepare()
        let watch = Stopwatch()
        let memory = PeakMemory()
        let checksum = try await side.run(watch)
        watch.stop()
        let time = watch.total
        return Measurement(
            checksum: checksum, wall: time.wall, processor: time.processor, megabytes: memory.growth)
    }
}

/// What one side took in one round.
struct Measurement {
    let checksum: Int64
    /// Seconds by the wall's clock.
    let wall: Double
    /// Seconds of user and system time.
    let processor: Double
    /// The peak growth of the process.
    let megabytes: Double
}

/// A round: both sides, one after the other.
struct Round {
    let baseline: Measurement
    let ours: Measurement

    var ratio: Double { ours.wall / baseline.wall }
}
