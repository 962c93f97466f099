import ChildProcesses
import ContextCore
import Foundation
import RandomSeeds
import Testing

/// A long chain of versions with every kind of change, and with rows added in each version.
struct ChainTests {
    @Test(arguments: StoreKind.present, [1, 2])
    func `Everything that should survive thirty versions does`(_ kind: StoreKind, _ seed: UInt64)
        async throws
    {
        try await migrate(kind, seed: seed, killing: false)
    }

    @Test(arguments: StoreKind.present)
    func `It does so too if every migration is killed once`(_ kind: StoreKind) async throws {
        try await migrate(kind, seed: 3, killing: true)
    }

    private func migrate(_ kind: StoreKind, seed: UInt64, killing: Bool) async throws {
        let store = try MigratedStore(kind)
        var making = RandomVersions(seed: seed)
        let versions = try making.versions(30)
        var random = SeededRandom(seed: seed)
        let folder = try FrozenFolder(versions, in: store.path("versions"))
        try await store.fill(versions[0].model, seed)
        var (killed, begun) = (0, 0)
        for (from, to) in zip(versions, versions.dropFirst()) {
            let before = try await content(store, from.model)
            if killing {
                let mover = try MoverProcess(
                    store.text, folder.path, to.name, dyingAt: random.below(3) == 0 ? 1 : 2)
                if try await mover.wait().status == SIGKILL { killed += 1 }
                if try store.state().run != nil { begun += 1 }
            }
            try await store.migrate(Array(versions.prefix { $0.name != to.name } + [to]))
            let after = try await content(store, to.model)
            let transition = try ModelTransition(from: from, to: to)
            let mistakes = Survival(transition, before: before, after: after).mistakes
            #expect(mistakes == [], "\(seed): \(from.name) to \(to.name)")
            let drift = try store.drift()
            #expect(drift == [], "\(seed): \(from.name) to \(to.name)")
            if !mistakes.isEmpty || !drift.isEmpty { return }
            try await store.fill(to.model, seed)
        }
        let frozen = try store.state().models.last?.fingerprint
        #expect(frozen == versions[29].model.fingerprint)
        // Some are killed before the first step, some in between, and some after the last step.
        if killing { #expect(killed > begun && begun > 3, "\(killed) killed, \(begun) in between") }
    }

    private func content(_ store: MigratedStore, _ model: ObjectModel) async throws -> StoreContent {
        try await store.read(model) { context in
            var content: StoreContent = [:]
            for layout in model.layouts {
                for object in try context.all(layout.name) where object.entityLayout.name == layout.name {
                    var values: [String: StoreContentValue] = [:]
                    for property in layout.properties {
                        switch property.relationship {
                        case nil: values[property.name] = .value(try object[property.name])
                        case let relationship? where relationship.description.isToMany:
                            let keys = try object.objects(property.name).map(\.objectID.key)
                            values[property.name] = .keys(
                                relationship.description.isOrdered ? keys : keys.sorted())
                        default:
                            values[property.name] = .keys(
                                try object.object(property.name).map { [$0.objectID.key] } ?? [])
                        }
                    }
                    content[layout.name, default: [:]][object.objectID.key] = values
                }
            }
            return content
        }
    }
}

typealias StoreContent = [String: [Int64: [String: StoreContentValue]]]

/// A property's value in an object.
enum StoreContentValue: Hashable, Sendable {
    case value(StoredValue)
    case keys([Int64])
}

/// Compares the contents of a store before and after a migration.
struct Survival {
    let mistakes: [String]

    init(_ transition: ModelTransition, before: StoreContent, after: StoreContent) {
        var mistakes: [String] = []
        let matching = transition.difference.matching
        let (old, new) = (transition.from.model, transition.to.model)
        for layout in new.layouts where !layout.isAbstract {
            guard let origin = matching.entities[layout.name].flatMap(old.layout(named:)) else {
                if after[layout.name] != nil { mistakes.append("\(layout.name) has new objects") }
                continue
            }
            let (rows, newRows) = (before[origin.name] ?? [:], after[layout.name] ?? [:])
            if Set(rows.keys) != Set(newRows.keys) {
                mistakes.append(
                    "\(layout.name) has the keys \(newRows.keys.sorted()), not \(rows.keys.sorted())")
                continue
            }
            for property in layout.properties {
                var declaring = layout
                while let above = declaring.superentityIndex,
                    property.slot < new.layouts[above].properties.count
                {
                    declaring = new.layouts[above]
                }
                guard let older = matching.property(property.name, of: declaring, from: origin, in: old)
                else { continue }
                for (key, row) in rows {
                    let (was, now) = (row[older.name], newRows[key]?[property.name])
                    if !Self.isKept(was, now, property) {
                        mistakes.append(
                            "\(layout.name) \(key).\(property.name) is \(now as Any), was \(was as Any)")
                    }
                }
            }
        }
        self.mistakes = mistakes
    }

    private static func isKept(
        _ was: StoreContentValue?, _ now: StoreContentValue?, _ property: PropertyLayout
    ) -> Bool {
        switch (was, now) {
        case (.value(let was)?, .value(let now)?):
            if let type = property.attribute?.type, was.converted(to: type) == now { return true }
            guard was.isNull, case .value(let initial)? = property.attribute?.defaultValue else {
                return false
            }
            return now == initial
        case (.keys(let was)?, .keys(let now)?):
            // The owner of a to-one relationship becomes one of several in the inverse relationship.
            return property.relationship?.description.isOrdered == true
                ? Set(was) == Set(now) : was.sorted() == now.sorted()
        default: return false
        }
    }
}
