/// A workload of both sides, and the limits of the object graph's cost.
struct Workload: Sendable {
    let name: String
    let bars: [BackendName: Bar]
    let sides: @Sendable (WorkloadEnvironment) async throws -> Sides

    /// The limit of a workload's cost.
    enum Bar: Sendable {
        /// The maximum time as a multiple of the baseline's.
        case ratio(Double)
        /// The maximum peak growth of the process.
        case megabytes(Double)
    }

    static let all: [Workload] = [
        .insert, .fetch, .lookUp, .lookUpRegistered, .lookUpOwn(.pool), .lookUpOwn(.store), .update, .upsert,
        .delete,
        .smallSaves(.pool), .smallSaves(.store), .smallSavesTogether,
        .writers, .thinkingWriters, .orderedWriters, .writersInProcesses, .hotWriters, .tenants, .filter,
        .find,
        .reads(tasks: 2, .pool), .reads(tasks: 2, .store), .reads(tasks: 8, .pool),
        .reads(tasks: 8, .store), .graphCreate, .graphPrefetch, .graphPrefetchInTurns, .cascade, .follow,
        .memory, .fetchPhotos,
    ]

    /// Returns the workloads to run: those that the options name, or all that have a bar for the backend.
    static func selected(_ options: Options) throws -> [Workload] {
        if options.only.isEmpty { return all.filter { $0.bars[options.backend] != nil } }
        let known = Set(all.map(\.name))
        for name in options.only where !known.contains(name) {
            throw Options.UsageError(
                description:
                    "there is no workload '\(name)'; there are \(all.map(\.name).joined(separator: ", ")).")
        }
        return all.filter { options.only.contains($0.name) }
    }
}
