import Foundation
import Testing

@testable import ContextCore
@testable import StoreConformance

/// Random deletions on every kind of store.
struct CascadeScriptTests {
    /// `CASCADE_SCRIPTS` is the number of scripts on an in-memory store, and `CASCADE_SEED` the first seed; slower stores run fewer
    /// scripts.
    @Test(arguments: Subject.all)
    func `Deletions have the same result whether dependents are loaded or not`(
        _ subject: Subject
    ) async throws {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["CASCADE_SEED"].flatMap(UInt64.init) ?? 1
        let count = environment["CASCADE_SCRIPTS"].flatMap(UInt64.init) ?? 25
        let model = try ObjectModel(LandModel.classes)
        var unseen = 0
        for seed in first..<first + max(1, count / subject.slowness) {
            let slow = try await Self.script(seed, seesAll: true, subject.fixture, model)
            let quick = try await Self.script(seed, seesAll: false, subject.fixture, model)
            let place = zip(slow.log, quick.log).prefix { $0 == $1 }.count
            #expect(
                slow.log == quick.log,
                """
                CASCADE_SEED=\(seed) on \(subject): \(slow.log.dropFirst(place).first ?? "-")
                became \(quick.log.dropFirst(place).first ?? "-") after
                \(quick.log.prefix(place).joined(separator: "\n"))
                """)
            #expect(slow.unseenCount == 0)
            unseen += quick.unseenCount
        }
        #expect(unseen > 0, "No script left dependents unloaded")
    }

    private static func script(
        _ seed: UInt64, seesAll: Bool, _ fixture: StoreFixture, _ model: ObjectModel
    ) async throws -> CascadeScript {
        let fresh = try FreshStore(fixture, model)
        defer { fresh.remove() }
        var script = CascadeScript(try Store(coordinator: fresh.coordinator), seed: seed, seesAll: seesAll)
        try await script.run(blocks: 6)
        return script
    }
}
