import ContextCore
import Foundation
import RandomSeeds
import SQLiteBackend
import Testing

/// Programs that are killed while they migrate a file automatically to their version.
///
/// `KILLED_TURN_SEED` repeats a failure, which reports its seed.
struct KilledTurnTests {
    private static let seed =
        ProcessInfo.processInfo.environment["KILLED_TURN_SEED"].flatMap(UInt64.init)
        ?? .random(in: .min ... .max)

    /// Returns two versions between which values are computed in both directions.
    private func models() throws -> (small: ObjectModel, large: ObjectModel) {
        func model(_ attributes: [AttributeDescription]) throws -> ObjectModel {
            try ObjectModel(entities: [.init("Game", attributes: [.init("title", .string)] + attributes)])
        }
        let stars = AttributeDescription("stars", .int64, default: .value(.int(3)))
        let lower = AttributeDescription(
            "lower", .string, isOptional: true, storage: .derived(.lowercased(path: "title")))
        return (
            try model([.init("size", .int16)]), try model([.init("size", .int64), stars, lower])
        )
    }

    private func open(
        _ store: MigratedStore, _ model: ObjectModel, by backend: StoreBackend = .sqlite
    ) async throws {
        try await Store.open(store.text, backends: [backend], model: model).close()
    }

    /// Opens a store with a program that migrates it automatically and is killed.
    ///
    /// - Returns: The state of the store afterwards; nil if the program was not killed.
    private func kill(
        _ store: MigratedStore, _ model: ObjectModel, after count: Int
    ) async throws -> MigrationState? {
        let dying = DyingBackend(after: count)
        do {
            try await open(store, model, by: dying.backend)
        } catch {
            if !dying.isDead { throw error }
        }
        return dying.isDead ? try store.state() : nil
    }

    @Test(arguments: [true, false])
    func `Wherever an automatic migration is killed, programs of both versions continue`(_ goesBack: Bool)
        async throws
    {
        let (small, large) = try models()
        // The program that migrates, and the program that used the store before.
        let (mine, theirs) = goesBack ? (small, large) : (large, small)
        var phases: Set<MigrationPhase> = []
        var random = SeededRandom(seed: Self.seed)
        for rescuer in [theirs, mine] {
            // Before every third statement, starting at a random one of the first three.
            for count in sequence(first: Int.random(in: 0..<3, using: &random), next: { $0 + 3 }) {
                let place: Comment = "KILLED_TURN_SEED=\(Self.seed), \(count)"
                let store = try MigratedStore(.sqlite)
                try await store.write(small) {
                    try $0.make("Game", ["title": .string("A"), "size": .int(7)])
                }
                if goesBack { try await open(store, large) }
                guard let begun = try await kill(store, mine, after: count) else { break }
                if let run = begun.run { phases.formUnion(run.steps.prefix(run.done).map(\.phase)) }
                do {
                    try await open(store, rescuer)
                    #expect(try store.state().models.last?.fingerprint == rescuer.fingerprint, place)
                    let sizes = try await store.read(rescuer) { try $0.values("Game", "size") }
                    #expect(sizes == [.int(7)], place)
                    // The leftovers of the killed program don't block any program, and stay as long as they don't conflict with anything.
                    try await open(store, rescuer === small ? large : small)
                    try await open(store, rescuer)
                    #expect(try store.state().run == nil, place)
                    #expect(try store.drift() == [], place)
                } catch {
                    Issue.record(error, place)
                }
            }
        }
        #expect(phases.contains(goesBack ? .backfill : .contract))
    }

    @Test func `An explicit migration is not rolled back on opening`() async throws {
        let (small, large) = try models()
        let store = try MigratedStore(.sqlite)
        try await store.write(small) { try $0.make("Game", ["title": .string("A"), "size": .int(7)]) }
        let versions = [ModelVersion("V1", small), ModelVersion("V2", large)]
        var count = 0
        while try store.state().run == nil, count < 100 {
            _ = try await store.migrateDying(after: count, versions)
            count += 1
        }
        let begun = try store.state()
        try #require(begun.run != nil)
        let refused = await refusal { try await open(store, small) }
        #expect(refused?.code == .migrationUnfinished)
        #expect(try store.state() == begun)
    }

    @Test func `Automatic migrations leave no more models behind than there are programs`() async throws {
        let (small, large) = try models()
        let store = try MigratedStore(.sqlite)
        try await store.write(small) { try $0.make("Game", ["title": .string("A"), "size": .int(7)]) }
        for _ in 0..<4 { for model in [large, small] { try await open(store, model) } }
        let state = try store.state()
        #expect(state.models.count <= 3, "\(state.models.map(\.number))")
        #expect(state.models.last?.fingerprint == small.fingerprint)
        #expect(state.automatic.isSubset(of: state.models.map(\.number)))
        // A later explicit migration works all the same.
        try await store.migrate([ModelVersion("V1", small), ModelVersion("V2", large)])
        #expect(await refusal { try await open(store, small) }?.code == .modelMismatch)
    }
}
