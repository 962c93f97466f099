import ContextCore
import Foundation
import SQLiteBackend
import Testing

@testable import StoreAdmin

/// `migrate rehearse`: the whole migration on a copy, and its result for every property.
///
/// The tests run one at a time, since they search the whole database for copies.
@Suite(.serialized)
struct MigrateRehearseTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    /// Creates V2, which renames a person's name to `title`, stores twice the scores as text, and removes `single`.
    private func makeVersions() throws {
        let second = ShopExport.model
            .replacing(#""name":{"type":"string"}"#, with: #""title":{"renamedFrom":"name","type":"string"}"#)
            .replacing(
                #""score":{"default":0,"type":"int64"}"#, with: #""score":{"default":"0","type":"string"}"#
            )
            .replacing(#","single":{"optional":true,"type":"float"}"#, with: "")
        try bench.write(ShopExport.model, to: "V1.json")
        try bench.write(second, to: "V2.json")
        for words in [
            ["model", "freeze", "V1", "--model", "V1.json"], ["model", "freeze", "V2", "--model", "V2.json"],
            [
                "migrate", "new", "V1", "V2", "--removed", "Sample.single", "--accept",
                "Sample.single=Unused.",
                "--convert", "Player.score=score * 2",
            ],
        ] {
            let outcome = bench.run(words)
            try #require(outcome.exit == .success, "\(words): \(outcome.problems)")
        }
    }

    @Test func `Of a long text the first 200 characters are shown`() {
        let long = String(repeating: "é", count: 200)
        #expect(PropertyContent.value(.string(long)).text == "\"\(long)\"")
        #expect(PropertyContent.value(.string(long + "é\n")).text == "\"\(long)…\"")
    }

    @Test func `A copy that was never started doesn't stay`() throws {
        let url = try StoreURL("sqlite:\(bench.folder)/none.sqlite")
        let store = AdministeredStore(name: nil, url: url, backend: .sqlite, isProduction: false)
        #expect(try RehearsalLocation(of: store).remove() == nil)
    }

    private func document(_ words: String...) throws -> [String: JSONValue] {
        let outcome = bench.run(words + ["--json"])
        try #require(outcome.exit == .success, "\(outcome.problems)")
        return JSONValue(try JSONDocument(outcome.output).root).members
    }

    private func property(_ path: String, in document: [String: JSONValue]) throws -> [String: JSONValue] {
        let entities = document["entities"]?.elements ?? []
        let properties = entities.flatMap { $0.members["properties"]?.elements ?? [] }
        return try #require(properties.first { $0.members["property"] == .string(path) }).members
    }

    @Test(arguments: TestPlace.available)
    func `A rehearsal reports the changes of every property, and doesn't change the store`(
        _ place: TestPlace
    ) throws {
        _ = try bench.makeShop(place)
        try makeVersions()
        let before = bench.run("data", "export").output
        let document = try document("migrate", "rehearse")
        #expect(document["transitions"] == .array([.string("V1-V2")]))
        #expect(document["findings"] == .array([]))
        #expect(document["drift"] == .array([]))
        let name = try property("Player.title", in: document)
        #expect(name["was"] == .string("Player.name"))
        #expect(name["different"] == .int(0))
        let score = try property("Player.score", in: document)
        #expect(score["different"] == .int(3))
        #expect(score["before"]?.members["sum"] == .string("109"))
        #expect(score["after"]?.members["sum"] == .null)
        #expect(
            score["examples"]?.elements.first
                == .object([
                    "object": .string("Player:1"), "before": .string("12"), "after": .string("\"24\""),
                ]))
        let favourites = try property("Player.favourites", in: document)
        #expect(favourites["before"]?.members["links"] == .int(3))
        #expect(favourites["after"]?.members["links"] == .int(3))
        #expect(bench.run("data", "export").output == before)
        #expect(try bench.copies(place) == [])
    }

    /// V2 has no referees, one of whom is the mentor of a player, and gives a default to samples without a flag.
    @Test(arguments: TestPlace.available)
    func `A rehearsal counts missing values and missing objects`(_ place: TestPlace) throws {
        _ = try bench.makeShop(place)
        let referee =
            #""Referee":{"attributes":{"licence":{"optional":true,"type":"uuid"}},"superentity":"Person"},"#
        let second = ShopExport.model.replacing(referee, with: "").replacing(
            #""flag":{"optional":true,"type":"bool"}"#, with: #""flag":{"default":true,"type":"bool"}"#)
        try bench.freeze("V1", ShopExport.model)
        try bench.freeze("V2", second, after: "V1", losing: "Referee")
        let document = try document("migrate", "rehearse")
        let mentor = try property("Player.mentor", in: document)
        #expect(mentor["before"]?.members["empty"] == .int(0))
        #expect(mentor["after"]?.members["empty"] == .int(1))
        let flag = try property("Sample.flag", in: document)
        #expect(flag["before"]?.members["empty"] == .int(1))
        #expect(flag["after"]?.members["empty"] == .int(0))
        func counts(_ name: String) -> [JSONValue?] {
            let entity = document["entities"]?.elements.first { $0.members["entity"] == .string(name) }
            return ["before", "after", "missing", "new"].map { entity?.members[$0] }
        }
        #expect(counts("Referee") == [.int(1), .int(0), .int(1), .int(0)])
        #expect(counts("Player") == [.int(3), .int(3), .int(0), .int(0)])
        let text = bench.run("migrate", "rehearse").output
        for word in ["missing", "new", "empty before"] { #expect(text.contains(word), "\(text)") }
    }

    @Test(arguments: TestPlace.available)
    func `A rehearsal can use a part of a store`(_ place: TestPlace) throws {
        _ = try bench.makeShop(place)
        try makeVersions()
        let document = try document("migrate", "rehearse", "--rows", "1")
        let samples = document["entities"]?.elements.first { $0.members["entity"] == .string("Sample") }
        #expect(samples?.members["before"] == .int(1))
        #expect(samples?.members["after"] == .int(1))
        let text = bench.run("migrate", "rehearse", "--rows", "1").output
        #expect(text.contains("Player.title"))
        #expect(text.contains("V1-V2 on a sample of"))
    }

    @Test(arguments: TestPlace.available)
    func `A rehearsal fails like the migration would, and removes its copy`(_ place: TestPlace) throws {
        _ = try bench.makeShop(place)
        let text = ShopExport.model.replacing(
            #""score":{"default":0,"type":"int64"}"#, with: #""score":{"type":"string"}"#)
        try bench.write(ShopExport.model, to: "V1.json")
        try bench.write(text, to: "V2.json")
        #expect(bench.run("model", "freeze", "V1", "--model", "V1.json").exit == .success)
        #expect(bench.run("model", "freeze", "V2", "--model", "V2.json").exit == .success)
        _ = bench.run("migrate", "new", "V1", "V2")
        #expect(bench.run("migrate", "rehearse").exit == .refused)
        #expect(try bench.copies(place) == [])
    }
}

extension JSONValue {
    fileprivate var members: [String: JSONValue] {
        if case .object(let members) = self { members } else { [:] }
    }
    fileprivate var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
}

extension AdminBench {
    /// Returns the existing copies of rehearsals.
    fileprivate func copies(_ place: TestPlace) throws -> [String] {
        if place == .sqlite {
            return try FileManager.default.contentsOfDirectory(atPath: folder).filter {
                $0.contains("rehearsal")
            }
        }
        let outcome = run(
            "sql", "--json", "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'rehearsal_%'")
        return outcome.output.contains("rehearsal_") ? [outcome.output] : []
    }
}
