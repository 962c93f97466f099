import Foundation

/// Measures how the cost per row grows with the number of rows.
struct Scaling {
    let options: Options

    private static let sizes = [1_000, 10_000, 100_000, 1_000_000]
    private static let growth = 1.3
    private static let workloads: [Workload] = [.insert, .fetch, .graphPrefetch]

    /// Prints the cost per row, and returns whether it grew by less than the bar with each tenfold number of rows.
    func run() async throws -> Bool {
        var meetsBar = true
        for workload in Self.workloads where options.only.isEmpty || options.only.contains(workload.name) {
            var previous: Double?
            for size in Self.sizes where Double(size) <= 1_000_000 * (options.scale ?? 1) {
                let cost = try await cost(of: workload, rows: size)
                let grown = previous.map { cost / $0 }
                let isMet = grown.map { $0 <= Self.growth } ?? true
                meetsBar = meetsBar && isMet
                let factor = grown.map { String(format: "×%.2f%@", $0, isMet ? "" : " MISSED") } ?? ""
                print(
                    String(
                        format: "%@ %9d rows %8.3f µs per row  %@", workload.name, size, cost * 1e6, factor))
                fflush(nil)
                previous = cost
            }
        }
        return meetsBar
    }

    private func cost(of workload: Workload, rows: Int) async throws -> Double {
        // Small runs take a millisecond, so their median needs more rounds.
        let comparison = Comparison(
            workload: workload, backend: options.backend, scale: Double(rows) / 100_000,
            rounds: max(3, min(31, 300_000 / rows)))
        return try await comparison.run().ours / Double(rows)
    }
}
