/// The measurements of a workload over all rounds.
struct Result {
    let workload: Workload
    let backend: BackendName
    /// The round in which statements were counted.
    let counted: Round
    /// The rounds in which memory was measured.
    let memoryRounds: [Round]
    /// The timed rounds.
    let rounds: [Round]
    /// The time of the other library, in seconds.
    var peer: Double?

    private var ratios: [Double] { rounds.map(\.ratio).sorted() }

    /// The median of the rounds' ratios; each is computed within one round.
    var ratio: Double { ratios.median }
    var least: Double { ratios.first ?? .nan }
    var greatest: Double { ratios.last ?? .nan }
    var ours: Double { median(rounds, \.ours.reading.wall) }
    var baseline: Double { median(rounds, \.baseline.reading.wall) }
    var oursProcessor: Double { median(rounds, \.ours.reading.processor) }
    var baselineProcessor: Double { median(rounds, \.baseline.reading.processor) }
    var megabytes: Double { median(memoryRounds, \.ours.megabytes) }
    var baselineMegabytes: Double { median(memoryRounds, \.baseline.megabytes) }

    private func median(_ rounds: [Round], _ path: KeyPath<Round, Double>) -> Double {
        rounds.map { $0[keyPath: path] }.sorted().median
    }

    /// The limit of the workload on the backend; nil if it has none.
    var bar: Workload.Bar? { workload.bars[backend] }

    /// Whether the bar is met; nil if there is none.
    var isMet: Bool? {
        switch bar {
        case .ratio(let bar): ratio <= bar
        case .megabytes(let bar): megabytes <= bar
        case nil: nil
        }
    }
}

extension [Double] {
    /// The median of sorted numbers.
    var median: Double {
        guard !isEmpty else { return .nan }
        return count.isMultiple(of: 2) ? (self[count / 2 - 1] + self[count / 2]) / 2 : self[count / 2]
    }
}
