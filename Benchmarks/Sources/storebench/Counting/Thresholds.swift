import Foundation

/// What the workloads may cost in things that can be counted, on file in `Thresholds.json`.
struct Thresholds: Codable {
    /// What one workload takes.
    struct Cost: Codable {
        /// Instructions of the program and of Swift's libraries.
        var instructions: Int
        /// Calls of the system's allocator by them.
        var allocations: Int
        var statements: Int
        var roundTrips: Int
    }

    /// The kind of processor that the instructions were counted for.
    var architecture: String
    /// The scale at which everything was counted.
    var scale: Double
    /// By how much more than on file instructions and allocations may be counted.
    var tolerance: Double
    var backends: [String: [String: Cost]]

    /// So many allocations more are nothing: threads that come and go make some, and few loops make many.
    private static let slack = 250.0
    /// So many statements more are nothing: a connection that was idle on a slow machine is asked whether it is there.
    private static let visits = 3.0

    static let path = Repository.path("Benchmarks/Thresholds.json")

    static func onFile() throws -> Thresholds {
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

    /// What is more than it may be, in words; nil if nothing is.
    func excess(of cost: Cost, over limit: Cost) -> String? {
        func excess(
            _ name: String, _ path: KeyPath<Cost, Int>, _ tolerance: Double, _ slack: Double = 0
        ) -> String? {
            let (counted, allowed) = (cost[keyPath: path], limit[keyPath: path])
            return Double(counted) > Double(allowed) * (1 + tolerance) + slack
                ? "\(name): \(counted), on file \(allowed)" : nil
        }
        let found = [
            excess("instructions", \.instructions, tolerance),
            excess("allocations", \.allocations, tolerance, Self.slack),
            excess("statements", \.statements, 0, Self.visits),
            excess("round trips", \.roundTrips, 0, Self.visits),
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
