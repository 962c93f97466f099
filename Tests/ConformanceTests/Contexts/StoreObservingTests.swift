import ContextCore
import Foundation
import Testing

/// The observers of operations, and the statistics of a store, on every backend.
struct StoreObservingTests {
    /// The operation whose observer runs the current code.
    @TaskLocal private static var operation: String?

    private struct Statement: Sendable {
        let operation: String?
        let entry: StatementLog.Entry
    }

    private func open(_ address: TenantAddress, _ log: StoreLog? = nil) async throws -> Store {
        try await Store.open(
            address.text, tenant: "log", backends: TenantAddress.backends, model: [Desk.self],
            options: StoreOptions(log: log))
    }

    @Test(arguments: TenantAddress.Kind.present)
    func `The statements of an operation run inside its observer`(_ kind: TenantAddress.Kind) async throws {
        let address = try TenantAddress(kind)
        defer { try? address.remove(["log"]) }
        let statements = Guarded<[Statement]>([])
        let databases = Guarded<[DatabaseName?]>([])
        let statementLog = StatementLog { entry in
            statements.withLock { $0.append(Statement(operation: Self.operation, entry: entry)) }
        }
        let operationLog = OperationLog.observing { operation in
            databases.withLock { $0.append(operation.database) }
            let name = operation.identifier
            return OperationObserver(
                run: { body in Self.$operation.withValue(name, operation: body) }, ended: { _ in })
        }
        let store = try await open(
            address, StoreLog(statementLog: statementLog, operationLog: operationLog))
        try await store.write("hire") { _ = Desk(in: $0, owner: "Ann") }
        #expect(try await store.read("list") { try $0.fetch(Desk.self).count } == 1)
        await store.drain()

        let own = statements.withLock { $0 }.filter { $0.entry.text.contains("\"desk\"") }
        let insertions = own.filter { $0.entry.text.contains("INSERT INTO") && $0.operation != nil }
        let selections = own.filter { $0.entry.text.hasPrefix("SELECT") && $0.operation != nil }
        guard kind != .memory else {
            #expect(statements.withLock { $0.isEmpty } && databases.withLock { $0.allSatisfy { $0 == nil } })
            return
        }
        #expect(!insertions.isEmpty && insertions.allSatisfy { $0.operation == "hire" })
        #expect(selections.contains { $0.operation == "list" && $0.entry.rows == 1 })
        let database = try #require(insertions.first?.entry.database)
        #expect(database.system == (kind == .sqlite ? "sqlite" : "postgresql"))
        #expect(database.namespace.hasSuffix(kind == .sqlite ? "shop.log.sqlite" : "|\(address.schema)$log"))
        #expect(statements.withLock { $0.allSatisfy { $0.entry.database == database } })
        #expect(databases.withLock { $0.count >= 2 && $0.allSatisfy { $0 == database } })
    }

    @Test(arguments: TenantAddress.Kind.present)
    func `Statistics have the connections and the caches of a database`(_ kind: TenantAddress.Kind)
        async throws
    {
        let address = try TenantAddress(kind)
        defer { try? address.remove(["log"]) }
        let store = try await open(address)
        try await store.write("hire") { _ = Desk(in: $0, owner: "Ann") }
        for name in ["Ann", "Bo", "Cy"] {
            let statistics = try await store.read("look") { context in
                _ = try context.fetch(Desk.self, where: \.owner == name)
                return store.statistics
            }
            #expect(statistics.running.reads >= 1 && (statistics.database == nil) == (kind == .memory))
            if let database = statistics.database { #expect(database.connections.inUse >= 1) }
        }
        let last = store.statistics.database
        await store.drain()
        guard kind != .memory else { return }
        let database = try #require(last)
        #expect(database.requests.misses >= 1 && database.requests.hits >= 2)
        #expect(database.statements.misses >= 1 && database.statements.hits >= 1)
        #expect(database.connections.waiting == 0 && database.connections.idle >= 1)
        #expect((database.connections.limit == nil) == (kind == .sqlite))
        // The watch of other processes' commits may still be reading; it returns its connection soon.
        for _ in 0..<600 where store.statistics.database?.connections.inUse != 0 {
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(store.statistics.database?.connections.inUse == 0)
    }
}
