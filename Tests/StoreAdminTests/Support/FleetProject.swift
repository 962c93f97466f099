import ContextCore
import Foundation
import PostgresBackend
import SQLiteBackend
import Testing

@testable import StoreAdmin

@Entity final class Ticket: ManagedObject {
    var title: String
    var owner: Ticket?
}

/// Twelve tenants, `t01` to `t12`, of one address with the name `fleet`; the versions of their model are frozen.
struct FleetProject {
    static let tenants = (1...12).map { $0 < 10 ? "t0\($0)" : "t\($0)" }
    private static let first = """
        {"entities":{"Ticket":{"attributes":{"title":{"type":"string"}},\
        "relationships":{"owner":{"optional":true,"to":"Ticket"}}}},"format":1}
        """
    private static let second = first.replacing(
        #""title":{"type""#, with: #""note":{"optional":true,"type":"string"},"title":{"type""#)

    let bench: AdminBench
    private let place: TestPlace
    /// The address that the tenants share.
    private let url: String

    /// Creates the stores, with two objects each.
    init(_ place: TestPlace, tenants: [String] = tenants, isProduction: Bool = false) async throws {
        bench = try AdminBench()
        url = place.freshURL()
        self.place = place
        bench.variables["FLEET"] = url
        try bench.write(
            #"{"default": "fleet", "stores": {"fleet": {"url": {"env": "FLEET"}, "production": \#(isProduction)}}}"#,
            to: "storectl.json")
        let address = place == .sqlite ? url.replacing("sqlite:", with: "sqlite:\(bench.folder)/") : url
        for tenant in tenants {
            let store = try await Store.open(
                address, tenant: tenant, backends: [.sqlite, .postgres], model: [Ticket.self])
            try await store.write("tickets") { context in
                _ = Ticket(in: context, title: "of \(tenant)", owner: Ticket(in: context, title: "the first"))
            }
            await store.close()
        }
        try bench.freeze("V1", Self.first)
        try bench.freeze("V2", Self.second, after: "V1")
    }

    /// Freezes a third version, which adds an index.
    func freezeIndex() throws {
        let third = Self.second.replacing(
            #","relationships""#, with: #","indexes":[{"properties":["title"]}],"relationships""#)
        try bench.freeze("V3", third, after: "V2")
    }

    /// Changes a tenant's database as another program may.
    func execute(_ statement: String, of tenant: String) throws { try raw(tenant).execute([statement]) }

    private func raw(_ tenant: String) throws -> RawStore {
        let name = try #require(url.firstMatch(of: /test_[0-9a-f]{8}/)?.output)
        let own = url.replacing(name, with: name + (place == .sqlite ? "." : "$") + tenant)
        return try RawStore(own, in: bench.folder)
    }

    /// Locks a tenant's table in a transaction.
    func lock(_ tenant: String) throws -> RawStore {
        let store = try raw(tenant)
        let isFile = place == .sqlite
        try store.execute([isFile ? "BEGIN EXCLUSIVE" : "BEGIN"])
        if !isFile { try store.execute(["LOCK TABLE ticket IN ACCESS EXCLUSIVE MODE"]) }
        return store
    }

    /// Changes the metadata of a tenant's only backup, and renames it, since a new one may be created within the same second.
    ///
    /// - Returns: The file.
    @discardableResult
    func changeBackup(of tenant: String, _ change: (String) -> String = { $0 }) throws -> String {
        let folder = bench.folder + "/Backups/"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let name = try #require(names.first { $0.hasPrefix("fleet-\(tenant)-") && $0.hasSuffix(".sqlite") })
        let path = folder + "fleet-\(tenant)-\(UUID().uuidString).sqlite"
        try FileManager.default.moveItem(atPath: folder + name, toPath: path)
        let notes = try String(contentsOfFile: folder + name + ".json", encoding: .utf8)
        try FileManager.default.removeItem(atPath: folder + name + ".json")
        try change(notes).write(toFile: path + ".json", atomically: true, encoding: .utf8)
        return path
    }

    /// Removes a table that the model needs from a tenant's store.
    func breakStore(of tenant: String) throws { try execute("DROP TABLE ticket", of: tenant) }

    /// Returns the rows of a document, by tenant.
    func rows(_ document: [String: JSONValue]) -> [String: JSONValue] {
        let rows = document["rows"]?.elements ?? []
        return Dictionary(
            rows.map { ($0["tenant"].stringValue ?? "", $0) }, uniquingKeysWith: { first, _ in first })
    }
}
