/// One side of a comparison: the baseline, or the object graph.
protocol Side {
    /// Brings the data into the state that a round begins with. Not measured.
    func prepare() async throws
    /// Does the work between the watch's `start` and `stop`, or the end; answers what the work came to.
    func run(_ watch: Stopwatch) async throws -> Int64
    /// What the database holds, added up. Not measured.
    func stored() async throws -> Int64
}

/// A pair of sides that do the same work.
struct Sides {
    let baseline: any Side
    let ours: any Side
}
