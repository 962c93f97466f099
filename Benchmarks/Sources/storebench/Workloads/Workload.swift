/// Work that both sides do, and what the object graph may cost.
struct Workload: Sendable {
    let name: String
    let bars: [BackendName: Bar]
    let sides: @Sendable (Stage) async throws -> Sides

    /// The most that a workload may cost.
    enum Bar: Sendable {
        /// As a multiple of the baseline's time.
        case ratio(Double)
        /// As the peak growth of the process.
        case megabytes(Double)
    }

    static let all: [Workload] = [
        .insert, .fetch, .lookUp, .lookUpKnown, .lookUpOwn, .update, .delete, .smallSaves,
        .smallSavesTogether,
        .filter, .find, .reads(tasks: 2), .reads(tasks: 8), .graphCreate, .graphPrefetch, .cascade, .memory,
    ]
}
