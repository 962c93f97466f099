#if Postgres
import ContextCore
import Foundation
import Testing

@testable import PostgresBackend

/// Servers that refuse connections.
@Suite(.enabled(if: TestServer.isExpected))
struct RefusalTests {
    private let configuration: PostgresConfiguration
    private let model: ObjectModel

    init() throws {
        configuration = try TestServer.freshConfiguration()
        model = try ObjectModel(
            entities: [EntityDescription("Thing", attributes: [AttributeDescription("name", .string)])])
    }

    private func open(_ adjust: (inout PostgresConfiguration) -> Void) throws {
        var configuration = configuration
        adjust(&configuration)
        try PostgresCoordinator(model: model, configuration).close()
    }

    @Test func `A port without a server`() throws {
        let (socket, port) = try TestSocket.listen()
        TestSocket.cut(socket)
        expectError(.connectionLost) { try open { $0.hosts = [.init("127.0.0.1", port: port)] } }
    }

    @Test func `A server that accepts connections, but never responds`() throws {
        let (socket, port) = try TestSocket.listen()
        defer { TestSocket.cut(socket) }
        let error = expectError(.connectionLost) {
            try open {
                $0.hosts = [.init("127.0.0.1", port: port)]
                $0.timeout = .milliseconds(200)
            }
        }
        #expect(error?.detail?.contains("0.2 seconds") == true)
    }

    @Test func `Of several servers, the first that responds is used`() throws {
        let (socket, port) = try TestSocket.listen()
        TestSocket.cut(socket)
        try open { $0.hosts.insert(.init("127.0.0.1", port: port), at: 0) }
    }

    @Test func `An unknown host name`() {
        expectError(.connectionLost) { try open { $0.hosts = [.init("nowhere.invalid")] } }
    }

    @Test func `A wrong password, which the error doesn't contain`() throws {
        let wrong = "wr0ng-s3cret"
        let error = expectError(.accessDenied) { try open { $0.password = wrong } }
        #expect(error?.detail?.contains("28P01") == true)
        #expect(!String(reflecting: try #require(error)).contains(wrong))
    }

    @Test func `A missing database`() {
        let error = expectError(.configuration) { try open { $0.database = "no_such_database" } }
        #expect(error?.detail?.contains("3D000") == true)
    }

    @Test func `Encryption that the server doesn't support`() {
        expectError(.configuration) { try open { $0.tls = .require } }
    }

    @Test func `A required standby that doesn't exist`() {
        expectError(.connectionLost) { try open { $0.target = .standby } }
        #expect(throws: Never.self) { try open { $0.target = .preferStandby } }
    }

    @Test func `A server without free connections`() throws {
        let role = "role_\(UUID().uuidString.prefix(8).lowercased())"
        let owner = try PostgresConnection(configuration)
        try open { _ in }
        let schema = configuration.quotedSchema
        try owner.execute(
            """
            CREATE ROLE \(role) LOGIN PASSWORD 'only-one' CONNECTION LIMIT 1; GRANT ALL ON SCHEMA \(schema) TO \(role); \
            GRANT ALL ON ALL TABLES IN SCHEMA \(schema) TO \(role)
            """)
        defer { try? owner.execute("DROP OWNED BY \(role); DROP ROLE \(role)") }
        var limited = configuration
        (limited.user, limited.password, limited.timeout) = (role, "only-one", .seconds(2))
        let coordinator = try PostgresCoordinator(model: model, limited)
        let session = try coordinator.openReadSession(SessionOptions(identifier: "only one"))
        expectError(.busy) { _ = try coordinator.openReadSession(SessionOptions(identifier: "one more")) }
        #expect(try session.fetch(FetchPlan(entityIndex: 0)).count == 0)
        session.end()
        try coordinator.openReadSession(SessionOptions(identifier: "one more")).end()
        #expect(coordinator.connectionReport.holders.isEmpty)
        coordinator.close()
        let connections = "SELECT count(*) FROM pg_stat_activity WHERE usename = '\(role)'"
        #expect(try eventually { try owner.integer(connections) == 0 })
    }

    @Test func `An exhausted pool names the holders of its connections`() throws {
        var small = configuration
        (small.connections, small.timeout) = (2, .seconds(2))
        let coordinator = try PostgresCoordinator(model: model, small)
        defer { coordinator.close() }
        let sessions = try ["import", "report"].map {
            try coordinator.openReadSession(SessionOptions(identifier: $0))
        }
        let error = expectError(.busy) {
            _ = try coordinator.openReadSession(SessionOptions(identifier: "late"))
        }
        #expect(error?.detail?.contains("import") == true)
        #expect(error?.detail?.contains("report") == true)
        for session in sessions { session.end() }
        try coordinator.openReadSession(SessionOptions(identifier: "late")).end()
        #expect(coordinator.connectionReport.idle > 0)
        coordinator.close()
        #expect(coordinator.connectionReport.idle == 0)
        expectError(.closed) { _ = try coordinator.openReadSession(SessionOptions(identifier: "after")) }
    }
}
#endif
