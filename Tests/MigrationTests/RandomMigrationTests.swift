import ContextCore
import Foundation
import RandomSeeds
import Testing

@testable import StoreAdmin

/// Random migrations of random models with random objects, including inheritance, links and references.
///
/// An oracle in plain Swift predicts all values.
///
/// `MIGRATION_SEQUENCES` is the number of sequences of migrations per kind of store, and `MIGRATION_SEED` the first seed.
struct RandomMigrationTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let sequences = environment["MIGRATION_SEQUENCES"].flatMap { Int($0) } ?? 16
    private static let firstSeed = environment["MIGRATION_SEED"].flatMap { UInt64($0) } ?? 1

    @Test(arguments: StoreKind.present)
    func `Every value that should survive random migrations does, and no other`(_ kind: StoreKind)
        async throws
    {
        var (done, refused, failures) = (0, 0, 0)
        for number in 0..<Self.sequences {
            let seed = Self.firstSeed + UInt64(number)
            var sequence = try RandomMigrations(kind, seed: seed)
            do {
                try await sequence.run()
            } catch {
                sequence.mistakes.append("\(error)")
            }
            if !sequence.mistakes.isEmpty { failures += 1 }
            let problems = sequence.mistakes.prefix(4).joined(separator: "\n")
            #expect(
                sequence.mistakes.isEmpty,
                "MIGRATION_SEED=\(seed), step \(sequence.step), \(kind.rawValue): \(problems)\n\(sequence.differences.joined(separator: "\n"))"
            )
            done += sequence.done
            refused += sequence.refused
            // A hundred failures are enough.
            if failures > 100 { break }
        }
        // Some of the random migrations must be possible and some not; a few repeated ones may all be possible.
        if Self.sequences >= 16 {
            #expect(done > refused && refused > 0, "\(done) migrations, \(refused) refusals")
        }
    }
}

/// A store that is migrated through random versions.
private struct RandomMigrations {
    private let store: MigratedStore
    private let seed: UInt64
    private var making: SketchMaking
    private var model: ObjectModel
    private(set) var step = 0
    private(set) var done = 0
    private(set) var refused = 0
    /// The differences between the models of each step.
    private(set) var differences: [String] = []
    var mistakes: [String] = []

    init(_ kind: StoreKind, seed: UInt64) throws {
        store = try MigratedStore(kind)
        self.seed = seed
        making = SketchMaking(seed: seed)
        making.makeFirst()
        model = try making.sketch.model(usesIdentifiers: false)
    }

    mutating func run() async throws {
        let additions = making.additions(perEntity: 3)
        var state = try await add(additions)
        for _ in 0..<4 where mistakes.isEmpty {
            step += 1
            for copy in making.separateCopies() { state.renumber(copy, making.sketch) }
            making.makeNext()
            let usesIdentifiers = making.chance(1, in: 2) && making.allowsIdentifiers
            guard let next = try await migrate(state, usesIdentifiers) else {
                making.discardChanges()
                continue
            }
            state = next
            if step % 2 == 0 { state = try await add(making.additions(perEntity: 1)) }
        }
    }

    private func add(_ additions: GraphAdditions) async throws -> GraphState {
        let sketch = making.sketch
        let opened = try await store.open(model)
        do {
            try await opened.write("test") { try additions.add(to: $0) }
            let state = try await opened.read("test") { try GraphState($0, sketch) }
            await opened.close()
            return state
        } catch {
            await opened.close()
            throw error
        }
    }

    /// Migrates and compares; returns the contents of the store, or nil if the migration was refused as expected.
    private mutating func migrate(_ state: GraphState, _ usesIdentifiers: Bool) async throws -> GraphState? {
        let oracle = MigrationOracle(from: making.old, to: making.sketch, making.conversions, state)
        let next = try making.sketch.model(usesIdentifiers: usesIdentifiers)
        var hints = making.sketch.hints(from: making.old, usesIdentifiers: usesIdentifiers)
        for (id, conversion) in making.conversions {
            guard let was = making.old.attribute(id), let now = making.sketch.attribute(id) else { continue }
            hints.conversions["\(now.owner.name).\(now.attribute.name)"] = conversion.expression(
                was.attribute.name)
        }
        let models = "from\n\(making.old)\nto\n\(making.sketch)\n\(hints)"
        differences.append("step \(step): \(models)")
        let first = ModelVersion("V\(step)", model)
        let error = await refusal {
            let transition = try ModelTransition(
                from: first, to: ModelVersion("V\(step + 1)", next, hints: hints))
            differences.append("\(transition.difference)")
            for id in making.conversions.keys.sorted() {
                let values = state.objects.values.compactMap { $0.values[id] }.map { "\($0)" }.sorted()
                differences.append("Converted are \(values).")
            }
            if case .migrated = oracle.verdict { check(transition, oracle) }
            hints.acceptedLosses = Set(transition.losses)
            try await run([first, ModelVersion("V\(step + 1)", next, hints: hints)])
        }
        switch (oracle.verdict, error) {
        case (.refused, nil): mistakes.append("The migration should have been refused: \(oracle.allReasons)")
        case (.refused, let error?):
            refused += 1
            if error.code != .migrationRefused { mistakes.append("The migration failed with \(error)") }
            try await compare(with: state, making.old, model)
        case (.migrated, let error?): mistakes.append("The migration should have succeeded: \(error)")
        case (.migrated(let expected), nil):
            done += 1
            model = next
            try await compare(with: expected, making.sketch, next)
            return expected
        }
        return nil
    }

    /// Runs the migration, sometimes in two parts.
    private mutating func run(_ versions: [ModelVersion]) async throws {
        guard making.chance(1, in: 4) else {
            try await store.migrate(versions)
            return
        }
        var options = MigrationOptions()
        options.lastPhase = MigrationPhase.allCases[making.random.below(4)]
        try await store.migrate(versions, options)
        try await store.migrate(versions)
    }

    private mutating func check(_ transition: ModelTransition, _ oracle: MigrationOracle) {
        let losses = transition.losses
        for loss in oracle.losses where loss.paths.isDisjoint(with: losses) {
            mistakes.append("No loss is reported for \(loss.sentence): \(loss.paths.sorted()) and \(losses)")
        }
    }

    private mutating func compare(
        with expected: GraphState, _ sketch: ModelSketch, _ model: ObjectModel
    ) async throws {
        let found = try await store.read(model) { try GraphState($0, sketch) }
        mistakes += found.differences(from: expected, sketch)
        mistakes += try store.drift().map { "drift: \($0)" }
        mistakes += try store.findings(model).map { "check: \($0)" }
    }
}

extension MigratedStore {
    /// Returns the findings of `storectl check`, with one connection.
    fileprivate func findings(_ model: ObjectModel) throws -> [String] {
        let coordinator = try kind.backend.coordinator(for: url, model)
        defer { coordinator.close() }
        let session = try coordinator.openReadSession(SessionOptions(identifier: "check"))
        defer { session.end() }
        var checking = StoreChecker(
            session: session, model: model, kinds: Set(StoreFinding.Kind.allCases), limit: 10
        ) { _, _, _ in }
        try checking.check(model.layouts)
        return checking.findings.map(\.sentence)
    }
}
