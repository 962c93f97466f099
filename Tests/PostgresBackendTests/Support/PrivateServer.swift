#if Postgres
import ContextCore
import Foundation
import Testing

@testable import PostgresBackend

/// A server of a test's own, to be stopped and started.
final class PrivateServer {
    let configuration: PostgresConfiguration
    /// The standby, where there is one.
    let replica: PostgresConfiguration?
    private let folder: String

    init(withReplica: Bool = false) throws {
        folder =
            FileManager.default.temporaryDirectory.appendingPathComponent("server-\(UUID().uuidString)").path
        let said = try Self.run(["start"] + (withReplica ? ["--replica"] : []) + [folder])
        var variables: [Substring: Substring] = [:]
        for line in said.split(separator: "\n") {
            guard let equals = line.firstIndex(of: "=") else { continue }
            variables[line[..<equals]] = line[line.index(after: equals)...]
        }
        configuration = try Self.configuration(#require(variables["STORE_TEST_POSTGRES_URL"]))
        replica = try variables["STORE_TEST_POSTGRES_REPLICA_URL"].map(Self.configuration)
    }

    deinit { _ = try? Self.run(["stop", folder]) }

    private static func configuration(_ url: Substring) throws -> PostgresConfiguration {
        try PostgresConfiguration(StoreURL(String(url)))
    }

    func halt(crashing: Bool = false) throws {
        _ = try Self.run(["halt"] + (crashing ? ["--crash"] : []) + [folder])
    }

    func resume() throws { _ = try Self.run(["resume", folder]) }

    func promoteReplica() throws { _ = try Self.run(["promote", folder]) }

    /// Runs the script that makes servers; answers what it says.
    private static func run(_ arguments: [String]) throws -> String {
        let root = URL(filePath: #filePath).appendingPathComponent("../../../..").standardizedFileURL
        let (process, output) = (Process(), Pipe())
        process.executableURL = root.appendingPathComponent("scripts/postgres.sh")
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
        // The server keeps what it inherits, so the script's end is waited for, and not that of what it says.
        process.waitUntilExit()
        try #require(
            process.terminationStatus == 0, "scripts/postgres.sh \(arguments.joined(separator: " "))")
        return String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    }
}
#endif
