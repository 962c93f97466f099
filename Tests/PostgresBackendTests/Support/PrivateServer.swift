#if Postgres
import ContextCore
import Foundation
import Testing

@testable import PostgresBackend

/// A server for one test, which can stop and start it.
final class PrivateServer {
    /// Whether tests with such a server run: if PostgreSQL's programs are installed, or if `scripts/test` requires them, in which case the
    /// tests fail without them.
    ///
    /// A server in a container has no accessible programs.
    static let isExpected =
        TestServer.isExpected
        && (ProcessInfo.processInfo.environment["STORE_REQUIRE_POSTGRES_PROGRAMS"] != nil
            || (try? run(["installed"])) != nil)
    /// The reason why such a test is skipped.
    static let absence: Comment =
        "PostgreSQL's programs are not installed, so no server can be started for this test."

    let configuration: PostgresConfiguration
    /// The standby, if there is one.
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

    /// Waits until the standby has caught up with the primary.
    func waitForReplica() throws {
        let primary = try PostgresConnection(configuration)
        let replica = try PostgresConnection(#require(replica))
        let last = try #require(try primary.integer("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn"))
        let isThere = try eventually {
            try replica.integer("SELECT pg_last_wal_replay_lsn() - '0/0'::pg_lsn") ?? 0 >= last
        }
        #expect(isThere)
    }

    private struct Failure: Error { let arguments: [String] }

    /// Runs the script that creates servers, and returns its output.
    private static func run(_ arguments: [String]) throws -> String {
        let root = URL(filePath: #filePath).appendingPathComponent("../../../..").standardizedFileURL
        let script = root.appendingPathComponent("scripts/postgres.sh").path
        let output = FileManager.default.temporaryDirectory.appendingPathComponent(
            "said-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: output) }
        let status = spawn([script] + arguments, output: output.path)
        guard status == 0 else { throw Failure(arguments: arguments) }
        return try String(contentsOf: output, encoding: .utf8)
    }

    /// Runs a program, and waits for its end; Foundation's `Process` would wait for the servers that it starts, too.
    private static func spawn(_ words: [String], output: String) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
        let (arguments, variables) = (words.map { strdup($0) }, environment.map { strdup($0) })
        defer { for pointer in arguments + variables { free(pointer) } }
        var (process, status): (pid_t, Int32) = (0, 0)
        TestSocket.inheritance.lock()
        let result = posix_spawn(&process, words[0], &actions, nil, arguments + [nil], variables + [nil])
        TestSocket.inheritance.unlock()
        if result != 0 { return -1 }
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        return status
    }
}
#endif
