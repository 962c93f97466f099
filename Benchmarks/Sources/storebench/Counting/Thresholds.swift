import Foundation

/// The limits of the workloads' counts, which are recorded in `Thresholds.json`.
struct Thresholds: Codable {
    /// The counts of one workload.
    struct Cost: Codable {
        /// The instructions of the program and of Swift's libraries.
        var instructions: Int
        /// The number of allocations by the program and Swift's libraries.
        var allocations: Int
        var statements: Int
        var roundTrips: Int
    }

    /// The processor architecture on which the instructions were counted.
    var architecture: String
    /// The scale at which everything was counted.
    var scale: Double
    /// The fraction by which instructions and allocations may exceed the recorded counts.
    var tolerance: Double
    var backends: [String: [String: Cost]]

    /// The number of additional allocations that are tolerated, because starting and ending threads allocate.
    private static let toleratedAllocations = 250.0
    /// The number of additional statements that are tolerated, because a connection that was idle on a slow machine is checked before use.
    private static let toleratedStatements = 3.0

    static let path = Repository.path("Benchmarks/Thresholds.json")

    static func recorded() throws -> Thresholds {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Thresholds.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    }

    func save() throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try (encoder.encode(self) + Data("\n".utf8)).write(to: URL(fileURLWithPath: Self.path))
    }

    /// Returns a description of the counts that exceed their limits; nil if none does.
    func excess(of cost: Cost, over limit: Cost) -> String? {
        func excess(
            _ name: String, _ path: KeyPath<Cost, Int>, _ tolerance: Double,
            _ toleratedAllocations: Double = 0
        ) -> String? {
            let (counted, allowed) = (cost[keyPath: path], limit[keyPath: path])
            return Double(counted) > Double(allowed) * (1 + tolerance) + toleratedAllocations
                ? "\(name): \(counted), recorded \(allowed)" : nil
        }
        let found = [
            excess("instructions", \.instructions, tolerance),
            excess("allocations", \.allocations, tolerance, Self.toleratedAllocations),
            excess("statements", \.statements, 0, Self.toleratedStatements),
            excess("round trips", \.roundTrips, 0, Self.toleratedStatements),
        ].compactMap(\.self)
        return found.isEmpty ? nil : found.joined(separator: "; ")
    }

    static var thisArchitecture: String {
        #if arch(x86_64)
        "x86_64"
        #elseif arch(arm64)
        "arm64"
        #else
        "another"
        #endif
    }
}
