import ContextCore
import Foundation
import RandomSeeds
import Testing

@testable import StoreAdmin

/// Random documents of changes: they are applied, or rejected with their places, and never trap.
struct DamagedChangeTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let rounds = environment["STORE_DAMAGE_ROUNDS"].flatMap { UInt64($0) } ?? 200
    private static let seed = environment["STORE_DAMAGE_SEED"].flatMap { UInt64($0) } ?? 1

    /// A valid document with a change of every kind.
    private static let document = """
        {"changes": [
        {"update": "Player:1", "version": 2, "set": {"score": 5, "salary": 12.50, "extra": {"a": [1, null]},
        "photo": "AAEC", "team": "t", "mentor": "Player:2", "ratio": 0.1}, "base": {"score": 1, "team": null}},
        {"update": "Team:1", "set": {"place": {"city": "Rome", "zip": 5}}, "add": {"players": [2]}, "remove": {"players": [1]}},
        {"update": "Team:2", "set": {"players": ["Player:3", "p"], "place.zip": null, "sponsors": ["s"]}},
        {"insert": "Team", "as": "t", "set": {"name": "T"}},
        {"insert": "Player", "as": "p", "set": {"name": "P", "skills": ["k"], "born": "2026-08-01T12:00:00Z"}},
        {"insert": "Skill", "as": "k", "set": {"name": "k"}}, {"insert": "Sponsor", "as": "s", "set": {"name": "S"}},
        {"delete": "Team:3", "version": 2}]}
        """

    private let model: ObjectModel

    init() throws { model = try ObjectModel(fileText: ChangedClub.model, fileName: "club") }

    /// Returns a store in memory with three teams and three players.
    private func makeStore() throws -> Store {
        let store = try Store.inMemory(model)
        try store.writeAndWait("fill") { context in
            for number in 1...3 {
                let team = try context.insert("Team")
                try team.set("name", to: "team \(number)")
                let player = try context.insert("Player")
                try player.set("name", to: "player \(number)")
                try player.set("team", to: team)
            }
        }
        return store
    }

    /// Applies a document without saving; an error of the caller's data is expected.
    private func apply(_ bytes: [UInt8], _ store: Store, _ label: String) -> ChangeOutcome? {
        do {
            let request = try ChangeReader.request(Data(bytes), model: model, source: "changes.json")
            let outcome = try ChangeRun(request: request, isDry: true).run(on: store)
            #expect(!outcome.isSaved)
            for failure in outcome.failures { #expect(!failure.message.isEmpty, "\(label)") }
            // Both forms of the report can be made.
            #expect(!outcome.report.formatted(.json, TextStyle()).isEmpty)
            #expect(!outcome.report.formatted(.table, TextStyle()).isEmpty)
            return outcome
        } catch let error as AdminError {
            #expect(error.exit == .badData, "\(label): \(error)")
        } catch {
            Issue.record("\(label): \(type(of: error)) \(error)")
        }
        return nil
    }

    @Test func `A damaged document is applied or rejected`() throws {
        let store = try makeStore()
        defer { store.closeAndWait() }
        let valid = try #require(apply(Array(Self.document.utf8), store, "valid"))
        #expect(valid.isValid, "\(valid.failures) \(valid.conflicts)")
        for seed in Self.seed..<Self.seed + Self.rounds {
            var damage = FileDamage(seed: seed)
            _ = apply(damage.applied(to: Array(Self.document.utf8)), store, "STORE_DAMAGE_SEED=\(seed)")
        }
    }

    @Test func `Random changes of well-formed documents are applied or rejected`() throws {
        let store = try makeStore()
        defer { store.closeAndWait() }
        var outcomes = 0
        for seed in Self.seed..<Self.seed + Self.rounds {
            var random = SeededRandom(seed: seed)
            let text = RandomChanges.document(model, &random)
            if apply(Array(text.utf8), store, "STORE_DAMAGE_SEED=\(seed): \(text)") != nil { outcomes += 1 }
        }
        #expect(outcomes > 0, "no document got as far as the store")
        #expect(
            try store.readAndWait { try $0.fetch(FetchRequest<ManagedObject>(entityName: "Team")).count } == 3
        )
    }
}

/// Makes documents of changes from the names of a model, with values that mostly don't fit.
enum RandomChanges {
    static func document(_ model: ObjectModel, _ random: inout SeededRandom) -> String {
        let count = Int.random(in: 1...4, using: &random)
        let changes = (0..<count).map { index in
            change(model.layouts.randomElement(using: &random) ?? model.layouts[0], index, &random)
        }
        return JSONValue.object(["changes": .array(changes)]).text
    }

    private static func change(_ entity: EntityLayout, _ index: Int, _ random: inout SeededRandom)
        -> JSONValue
    {
        let subject = "\(entity.name):\(Int.random(in: 1...4, using: &random))"
        let version = JSONValue.int(Int.random(in: 1...3, using: &random))
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            return .object(["delete": .string(subject), "version": version])
        case 1, 2:
            return .object([
                "insert": .string(entity.name), "as": .string("n\(index)"), "set": values(entity, &random),
            ])
        case 3:
            return .object([
                "update": .string(subject), "version": version, "set": values(entity, &random),
                "base": values(entity, &random),
            ])
        default:
            let verb = Bool.random(using: &random) ? "add" : "remove"
            return .object(["update": .string(subject), verb: values(entity, &random)])
        }
    }

    private static func values(_ entity: EntityLayout, _ random: inout SeededRandom) -> JSONValue {
        var values: [String: JSONValue] = [:]
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            guard let property = entity.properties.randomElement(using: &random) else { break }
            values[property.name] =
                Bool.random(using: &random) ? fitting(property, &random) : value(depth: 2, &random)
        }
        return .object(values)
    }

    /// Returns a value that often fits the property.
    private static func fitting(_ property: PropertyLayout, _ random: inout SeededRandom) -> JSONValue {
        if let relationship = property.relationship {
            let targets: [JSONValue] = (0..<2).map { _ in
                Bool.random(using: &random)
                    ? .int(Int.random(in: 1...4, using: &random))
                    : .string("n\(Int.random(in: 0...3, using: &random))")
            }
            return relationship.description.isToMany ? .array(targets) : targets[0]
        }
        switch property.attribute?.type {
        case .string?, .url?: return .string(String(UInt8.random(in: .min ... .max, using: &random)))
        case .bool?: return .bool(Bool.random(using: &random))
        case .composite?: return .object(["zip": value(depth: 0, &random)])
        default: return .int(Int.random(in: -5...70_000, using: &random))
        }
    }

    private static func value(depth: Int, _ random: inout SeededRandom) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 7), using: &random) {
        case 0: return .null
        case 1: return .bool(true)
        case 2:
            return .number(
                ["0", "-1", "1e300", "9223372036854775808", "0.1"].randomElement(using: &random) ?? "0")
        case 3:
            return .string(
                ["", "\u{0}", "n0", "Team:1", "Player:0", "a/b", "é"].randomElement(using: &random) ?? "")
        case 4: return .string("2026-08-01T12:00:00Z")
        case 5: return .int(Int.random(in: -3...3, using: &random))
        case 6: return .string(String(repeating: "x", count: 50))
        case 7: return .array((0..<2).map { _ in value(depth: depth - 1, &random) })
        default: return .object(["city": value(depth: depth - 1, &random)])
        }
    }
}
