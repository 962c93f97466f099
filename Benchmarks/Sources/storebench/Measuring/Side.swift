/// One side of a comparison: the baseline, or the object graph.
protocol Side {
    /// Restores the data with which a round starts; not measured.
    func prepare() async throws
    /// Does the work, which is measured between the watch's `start` and `stop` or the end of this function, and returns its checksum.
    func run(_ watch: Stopwatch) async throws -> Int64
    /// Returns the checksum of the stored rows; not measured.
    func stored() async throws -> Int64
}

/// A pair of sides that do the same work.
struct Sides {
    let baseline: any Side
    let ours: any Side
}
