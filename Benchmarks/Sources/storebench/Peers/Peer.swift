import Foundation

/// Another library to measure, if it is installed.
enum Peer: String, Sendable {
    /// SQLAlchemy's ORM, in Python.
    case sqlalchemy

    /// Returns the median time of a workload in seconds; nil if the library doesn't implement the workload or isn't installed.
    ///
    /// If it isn't installed, Python prints an error.
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

    /// Returns the address of its database; nil if it doesn't support the backend.
    private func address(_ backend: BackendName, _ folder: WorkFolder) throws -> String? {
        switch backend {
        case .sqlite: "sqlite:///\(folder.path("peer.sqlite"))"
        case .postgres: try DatabaseServer().plainURL
        case .memory: nil
        }
    }
}
