import ContextCore
import Foundation
import PostgresBackend
import SQLiteBackend

/// An address of tenants' stores for one test.
final class TenantAddress: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case memory, sqlite, postgres

        static let present: [Kind] =
            serverURL != nil || environment["STORE_REQUIRE_POSTGRES"] != nil
            ? allCases : [.memory, .sqlite]
        static let persistent = present.filter { $0 != .memory }

        fileprivate static let environment = ProcessInfo.processInfo.environment
        fileprivate static let serverURL = environment["STORE_TEST_POSTGRES_URL"]
    }

    static let backends: [StoreBackend] = [.sqlite, .postgres]

    let kind: Kind
    let text: String
    /// The schema in the address, which is the prefix of the tenants' schemas.
    let schema = "fleet\(UUID().uuidString.prefix(8).lowercased())"
    let folder: URL

    /// - Parameter connections: The number of connections that the tenants share.
    init(_ kind: Kind, connections: Int = 4) throws {
        self.kind = kind
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(schema)
        switch kind {
        case .memory: text = "memory:"
        case .sqlite:
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            text = "sqlite:\(folder.path)/shop.sqlite"
        case .postgres:
            let server = Kind.serverURL ?? ""
            text =
                server + (server.contains("?") ? "&" : "?") + "schema=\(schema)&connections=\(connections)"
        }
    }

    func fleet(
        _ model: [ManagedObject.Type] = [Desk.self], openLimit: Int = 100,
        idleLimit: Duration = .seconds(300)
    ) throws -> StoreFleet {
        try StoreFleet(
            text, backends: Self.backends, model: model, openLimit: openLimit, idleLimit: idleLimit)
    }

    /// Removes the files or schemas of these tenants.
    func remove(_ tenants: [String]) throws {
        try? FileManager.default.removeItem(at: folder)
        guard kind == .postgres else { return }
        let inspector = try StoreBackend.postgres.inspect(StoreURL(text))
        defer { inspector.close() }
        for tenant in tenants {
            _ = try inspector.run(
                "DROP SCHEMA IF EXISTS \"\(schema)$\(tenant)\" CASCADE", writing: true, limit: nil)
        }
    }
}

@Entity final class Desk: ManagedObject {
    var owner: String
}
