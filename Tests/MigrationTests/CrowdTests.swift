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
        let movers = try (0..<8).map { _ in try MoverProcess(store.text, folder.path, "V6") }
        for (index, mover) in movers.prefix(4).enumerated() {
            usleep(UInt32(30_000 * (index + 1)))
            mover.kill()
        }
        for mover in movers.dropFirst(4) {
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
