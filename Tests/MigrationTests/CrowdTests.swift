import ContextCore
import Foundation
import Testing

/// Several processes that all want to migrate one store.
struct CrowdTests {
    @Test(arguments: StoreKind.present)
    func `Eight migrators, some of which are killed, do each step once`(_ kind: StoreKind) async throws {
        let store = try MigratedStore(kind)
        var making = RandomVersions(seed: 8)
        let versions = try making.versions(6)
        let folder = try FrozenFolder(versions, in: store.path("versions"))
        try await store.fill(versions[0].model, 8)
        // Alone at first, so that it surely is the one that has begun.
        let first = try await MoverProcess(store.text, folder.path, "V6", dyingAt: 2).wait()
        #expect(first.status == SIGKILL)
        let dying = try (2...4).map { try MoverProcess(store.text, folder.path, "V6", dyingAt: $0) }
        let movers = try (0..<4).map { _ in try MoverProcess(store.text, folder.path, "V6") }
        for mover in dying {
            // Those that find nothing left to do don't come to it.
            let status = try await mover.wait().status
            #expect([0, SIGKILL].contains(status))
        }
        for mover in movers {
            let (status, words) = try await mover.wait()
            #expect(status == 0, "\(words)")
        }
        let state = try store.state()
        #expect(state.run == nil)
        #expect(state.entries.map(\.transition) == ["V1-V2", "V2-V3", "V3-V4", "V4-V5", "V5-V6"])
        #expect(state.models.last?.fingerprint == versions[5].model.fingerprint)
        let drift = try store.drift()
        #expect(drift == [])
    }
}
