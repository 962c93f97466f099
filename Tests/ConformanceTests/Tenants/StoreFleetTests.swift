import ContextCore
import Foundation
import Testing

/// The stores of many tenants at one address.
@Suite(.timeLimit(.minutes(10)))
struct StoreFleetTests {
    private func add(_ owner: String, to store: Store) async throws {
        try await store.write { context in _ = Desk(in: context, owner: owner) }
    }

    private func owners(_ store: Store) async throws -> [String] {
        try await store.read { context in
            try context.fetch(Desk.self, order: .ascending(\.owner)).map(\.owner)
        }
    }

    @Test(arguments: TenantAddress.Kind.present)
    func `Each tenant has its own objects`(_ kind: TenantAddress.Kind) async throws {
        let address = try TenantAddress(kind)
        let tenants = ["acme", "beta-2", "gamma_3"]
        defer { try? address.remove(tenants) }
        let fleet = try address.fleet()
        for tenant in tenants { try await add(tenant, to: fleet.store(tenant)) }
        for tenant in tenants { #expect(try await owners(fleet.store(tenant)) == [tenant]) }
        #expect(fleet.openTenants == tenants)
        #expect(try await fleet.tenants() == (kind == .memory ? [] : tenants))
        await fleet.close()
        #expect(fleet.openTenants.isEmpty)
        await #expect(throws: StoreError.self) { try await fleet.store("acme") }
    }

    @Test(arguments: TenantAddress.Kind.persistent)
    func `A tenant's store can be opened without the fleet`(_ kind: TenantAddress.Kind) async throws {
        let address = try TenantAddress(kind)
        defer { try? address.remove(["acme"]) }
        let fleet = try address.fleet()
        try await add("Ann", to: fleet.store("acme"))
        let store = try await Store.open(
            address.text, tenant: "acme", backends: TenantAddress.backends, model: [Desk.self])
        #expect(try await owners(store) == ["Ann"])
        await store.close()
        await fleet.close()
    }

    @Test(arguments: TenantAddress.Kind.present)
    func `Concurrent requests for a tenant get the same store`(_ kind: TenantAddress.Kind) async throws {
        let address = try TenantAddress(kind)
        let tenants = (0..<6).map { "t\($0)" }
        defer { try? address.remove(tenants) }
        let fleet = try address.fleet()
        let stores = try await withThrowingTaskGroup(of: (String, Store).self) { group in
            for _ in 0..<8 {
                for tenant in tenants { group.addTask { (tenant, try await fleet.store(tenant)) } }
            }
            return try await group.reduce(into: [String: [Store]]()) { $0[$1.0, default: []].append($1.1) }
        }
        for tenant in tenants {
            #expect(stores[tenant]?.count == 8)
            #expect(Set(stores[tenant, default: []].map(ObjectIdentifier.init)).count == 1)
        }
        await fleet.close()
    }

    @Test(arguments: TenantAddress.Kind.persistent)
    func `Stores beyond the limit are closed, and opened again with their data`(
        _ kind: TenantAddress.Kind
    ) async throws {
        let address = try TenantAddress(kind)
        let tenants = (0..<9).map { "t\($0)" }
        defer { try? address.remove(tenants) }
        let fleet = try address.fleet(openLimit: 3)
        for tenant in tenants { try await add(tenant, to: fleet.store(tenant)) }
        #expect(fleet.openTenants == ["t6", "t7", "t8"])
        for tenant in tenants { #expect(try await owners(fleet.store(tenant)) == [tenant]) }
        await fleet.close()
    }

    @Test(arguments: TenantAddress.Kind.persistent)
    func `The fleet returns a store that is in use, even beyond the limit`(
        _ kind: TenantAddress.Kind
    ) async throws {
        let address = try TenantAddress(kind)
        defer { try? address.remove(["a", "b"]) }
        let fleet = try address.fleet(openLimit: 1)
        let held = try await fleet.store("a")
        try await add("Ann", to: held)
        _ = try await fleet.store("b")
        #expect(fleet.openTenants.contains("a"))
        #expect(try await fleet.store("a") === held)
        #expect(try await owners(held) == ["Ann"])
        await fleet.close()
        await #expect(throws: StoreError.self) { try await owners(held) }
    }

    @Test(arguments: TenantAddress.Kind.persistent)
    func `A store that the program has closed is opened again`(_ kind: TenantAddress.Kind) async throws {
        let address = try TenantAddress(kind)
        defer { try? address.remove(["a"]) }
        let fleet = try address.fleet()
        let first = try await fleet.store("a")
        try await add("Ann", to: first)
        await first.close()
        #expect(fleet.openTenants.isEmpty)
        #expect(try await owners(fleet.store("a")) == ["Ann"])
        await fleet.close()
    }

    @Test(arguments: TenantAddress.Kind.persistent)
    func `A store that is closing is opened again after its running operations`(_ kind: TenantAddress.Kind)
        async throws
    {
        let address = try TenantAddress(kind)
        defer { try? address.remove(["a"]) }
        let fleet = try address.fleet()
        let first = try await fleet.store("a")
        let (started, released) = (ThreadSignal(), ThreadSignal())
        let writing = Task {
            try await first.write { context in
                started.signal()
                _ = released.wait(.seconds(60))
                _ = Desk(in: context, owner: "Ann")
            }
        }
        while !started.tryWait() { await Task.yield() }
        let closing = Task { await first.close() }
        while !fleet.openTenants.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        let reading = Task { try await owners(fleet.store("a")) }
        for _ in 0..<20 where fleet.openTenants.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        #expect(fleet.openTenants.isEmpty)
        released.signal()
        #expect(try await reading.value == ["Ann"])
        try await writing.value
        await closing.value
        await fleet.close()
    }

    @Test(arguments: TenantAddress.Kind.present)
    func `Draining a fleet runs the waiting operations of all stores`(_ kind: TenantAddress.Kind) async throws
    {
        let address = try TenantAddress(kind)
        defer { try? address.remove(["a", "b"]) }
        let fleet = try address.fleet()
        let stores = [try await fleet.store("a"), try await fleet.store("b")]
        let released = ThreadSignal()
        let blocked = stores.map { store in
            Task {
                try await store.write { context in
                    _ = released.wait(.seconds(60))
                    _ = Desk(in: context, owner: "Ann")
                }
            }
        }
        for store in stores { while store.operations.isEmpty { await Task.yield() } }
        let waiting = stores.map { store in Task { try await add("Ben", to: store) } }
        for store in stores { while store.operations.count < 2 { await Task.yield() } }
        let draining = Task { await fleet.drain() }
        while !fleet.openTenants.isEmpty { await Task.yield() }
        await #expect(throws: StoreError.self) { try await fleet.store("a") }
        for _ in blocked { released.signal() }
        for task in blocked + waiting { try await task.value }
        await draining.value
        for store in stores { await #expect(throws: StoreError.self) { try await owners(store) } }
    }

    @Test(arguments: TenantAddress.Kind.persistent)
    func `A context keeps its store open beyond the limit`(_ kind: TenantAddress.Kind)
        async throws
    {
        let address = try TenantAddress(kind)
        defer { try? address.remove(["a", "b"]) }
        let fleet = try address.fleet(openLimit: 1)
        let context = try await fleet.store("a").makeBackgroundContext(name: "editor")
        _ = try await fleet.store("b")
        #expect(fleet.openTenants == ["a", "b"])
        try await context.perform { context in
            _ = Desk(in: context, owner: "Ann")
            try context.save()
        }
        #expect(try await owners(fleet.store("a")) == ["Ann"])
        await fleet.close()
        await #expect(throws: StoreError.self) {
            try await context.perform { try $0.count(Desk.self) }
        }
    }

    @Test(arguments: TenantAddress.Kind.persistent)
    func `Unused stores are closed after a while`(_ kind: TenantAddress.Kind) async throws {
        let address = try TenantAddress(kind)
        defer { try? address.remove(["a", "b"]) }
        let fleet = try address.fleet(idleLimit: .milliseconds(200))
        try await add("Ann", to: fleet.store("a"))
        try await add("Ben", to: fleet.store("b"))
        while !fleet.openTenants.isEmpty { try await Task.sleep(for: .milliseconds(20)) }
        #expect(try await owners(fleet.store("a")) == ["Ann"])
        await fleet.close()
    }

    @Test func `In-memory stores stay open, since they would be empty afterwards`() async throws {
        let fleet = try TenantAddress(.memory).fleet(openLimit: 1, idleLimit: .milliseconds(10))
        try await add("Ann", to: fleet.store("a"))
        try await add("Ben", to: fleet.store("b"))
        try await Task.sleep(for: .milliseconds(100))
        #expect(try await owners(fleet.store("a")) == ["Ann"])
        #expect(try await owners(fleet.store("b")) == ["Ben"])
        await fleet.close()
    }

    @Test(arguments: TenantAddress.Kind.present)
    func `Names that aren't valid for a file or a schema are rejected`(_ kind: TenantAddress.Kind)
        async throws
    {
        let fleet = try TenantAddress(kind).fleet()
        let long = String(repeating: "a", count: 49)
        for name in ["", "Acme", "a b", "../x", "-a", "_a", "ä", "a\"b", "a.b", "a;b", long] {
            let error = await #expect(throws: StoreError.self) { try await fleet.store(name) }
            #expect(error?.code == .configuration, "\(name)")
        }
        #expect(fleet.openTenants.isEmpty)
        await fleet.close()
    }

    @Test(arguments: TenantAddress.Kind.persistent)
    func `A tenant whose store can't be opened can be requested again`(_ kind: TenantAddress.Kind)
        async throws
    {
        let address = try TenantAddress(kind)
        defer { try? address.remove(["a"]) }
        // A store with another model, to which no migration without data loss exists.
        let other = try await Store.open(
            address.text, tenant: "a", backends: TenantAddress.backends, model: [Drawer.self])
        try await other.write { context in _ = Drawer(in: context, label: "top") }
        await other.close()
        let fleet = try address.fleet()
        for _ in 0..<2 {
            let error = await #expect(throws: StoreError.self) { try await fleet.store("a") }
            #expect(error?.code == .migrationRefused || error?.code == .modelMismatch)
        }
        #expect(fleet.openTenants.isEmpty)
        await fleet.close()
    }
}

@Entity private final class Drawer: ManagedObject {
    var label: String
}
