import Foundation

/// Another library that is measured as well, where it happens to be installed.
enum Peer: String, Sendable {
    /// SQLAlchemy's ORM, in Python.
    case sqlalchemy

    /// Seconds that a workload takes there, the median of as many rounds; nil where it doesn't do the workload, or isn't installed:
    /// then Python says so on standard error.
    func seconds(for workload: Workload, _ options: Options) throws -> Double? {
        let folder = try WorkFolder()
        defer { folder.remove() }
        guard let url = try address(options.backend, folder) else { return nil }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "python3", Repository.path("Benchmarks/Peers/sqlalchemy_peer.py"), workload.name, url,
            "\(options.scale ?? 1)", "\(options.rounds)",
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Double(String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// Where it keeps its rows; nil where it can't.
    private func address(_ backend: BackendName, _ folder: WorkFolder) throws -> String? {
        switch backend {
        case .sqlite: "sqlite:///\(folder.path("peer.sqlite"))"
        case .postgres: try DatabaseServer().plainURL
        case .memory: nil
        }
    }
}
