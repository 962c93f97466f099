import ContextCore
import Foundation
import Testing

/// The text log that a program switches on with an option.
struct StoreLogTests {
    @Test(arguments: TenantAddress.Kind.present)
    func `A store's log has its operations, and its statements if it has a database`(
        _ kind: TenantAddress.Kind
    ) async throws {
        let address = try TenantAddress(kind)
        defer { try? address.remove(["log"]) }
        let lines = Guarded<[String]>([])
        let log = StoreLog.handler { line in lines.withLock { $0.append(line) } }
        let store = try await Store.open(
            address.text, tenant: "log", backends: TenantAddress.backends, model: [Desk.self],
            options: StoreOptions(log: log))
        try await store.write("hire") { _ = Desk(in: $0, owner: "a-secret-owner") }
        #expect(try await store.read("list") { try $0.fetch(Desk.self).count } == 1)
        await store.close()
        let all = lines.withLock { $0 }
        #expect(all.contains { $0.contains("Z info operation ") && $0.hasSuffix(" write hire") })
        #expect(all.contains { $0.contains("Z info operation ") && $0.hasSuffix(" read list") })
        let selections = all.filter { $0.contains("Z info statement ") && $0.contains(" rows=1 SELECT ") }
        #expect(selections.contains { $0.contains("\"desk\"") } == (kind != .memory))
        #expect(!all.contains { $0.contains("a-secret-owner") })
    }
}
