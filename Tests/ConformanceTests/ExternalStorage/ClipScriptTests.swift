import Foundation
import Testing

@testable import ContextCore
@testable import StoreConformance

/// Random scripts with external storage on every kind of store.
struct ClipScriptTests {
    /// `CLIP_SCRIPTS` is the number of scripts on an in-memory store, and `CLIP_SEED` the first seed; slower stores run fewer scripts.
    @Test(arguments: Subject.all)
    func `A script gives the same log with and without external storage`(
        _ subject: Subject
    ) async throws {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["CLIP_SEED"].flatMap(UInt64.init) ?? 1
        let count = environment["CLIP_SCRIPTS"].flatMap(UInt64.init) ?? 30
        let number = max(1, count / subject.slowness)
        var endings: UInt64 = 0
        for seed in first..<first + number {
            let usual = try await Self.log(seed, subject.fixture, threshold: nil)
            let external = try await Self.log(seed, subject.fixture, threshold: AlbumModel.threshold)
            let isOver = external.last == ClipScript.end
            if isOver { endings += 1 }
            let place = zip(usual, external).prefix { $0 == $1 }.count
            #expect(
                usual == external || isOver && place == external.count - 1,
                """
                CLIP_SEED=\(seed) on \(subject): \(usual.dropFirst(place).first ?? "-")
                became \(external.dropFirst(place).first ?? "-") after
                \(external.prefix(place).suffix(20).joined(separator: "\n"))
                """)
        }
        // With only a few seeds, all of them may end early.
        if number < 20 { return }
        #expect(endings <= number / 10, "\(endings) of \(number) scripts have ended early.")
    }

    private static func log(
        _ seed: UInt64, _ fixture: StoreFixture, threshold: Int?
    ) async throws -> [String] {
        let fresh = try FreshStore(fixture, AlbumModel.model(threshold: threshold))
        defer { fresh.remove() }
        var script = ClipScript(try Store(coordinator: fresh.coordinator), seed: seed)
        try await script.run(blocks: 8)
        return script.log
    }
}
