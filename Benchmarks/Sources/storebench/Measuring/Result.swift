/// What a workload came to over its rounds.
struct Result {
    let workload: Workload
    let backend: BackendName
    let rounds: [Round]

    private var ratios: [Double] { rounds.map(\.ratio).sorted() }

    /// The median of the rounds' ratios, each of the two sides of one round.
    var ratio: Double { ratios.median }
    var least: Double { ratios.first ?? .nan }
    var greatest: Double { ratios.last ?? .nan }
    var ours: Double { rounds.map(\.ours.wall).sorted().median }
    var baseline: Double { rounds.map(\.baseline.wall).sorted().median }
    var oursProcessor: Double { rounds.map(\.ours.processor).sorted().median }
    var baselineProcessor: Double { rounds.map(\.baseline.processor).sorted().median }
    var megabytes: Double { rounds.map(\.ours.megabytes).sorted().median }
    var baselineMegabytes: Double { rounds.map(\.baseline.megabytes).sorted().median }

    /// Whether the bar is held; nil where there is none for the backend.
    var isHeld: Bool? {
        switch workload.bars[backend] {
        case .ratio(let bar): ratio <= bar
        case .megabytes(let bar): megabytes <= bar
        case nil: nil
        }
    }
}

extension [Double] {
    /// The middle of sorted numbers.
    var median: Double {
        guard !isEmpty else { return .nan }
        return count.isMultiple(of: 2) ? (self[count / 2 - 1] + self[count / 2]) / 2 : self[count / 2]
    }
}
