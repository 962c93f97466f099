import Foundation

/// Runs another program without blocking a thread of the tests.
enum Subprocess {
    struct Result {
        let status: Int32
        let output: String
    }

    /// Runs a program from the PATH, and returns its output.
    static func run(_ program: String, _ arguments: [String], in folder: URL? = nil) async throws -> Result {
        let log = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data().write(to: log)
        defer { try? FileManager.default.removeItem(at: log) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.currentDirectoryURL = folder
        // See swift_build in scripts/support/common.sh.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_DETERMINISTIC_HASHING": "1"]
        ) { $1 }
        process.standardOutput = try FileHandle(forWritingTo: log)
        process.standardError = process.standardOutput
        let status = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        return Result(status: status, output: try String(contentsOf: log, encoding: .utf8))
    }
}
