import Foundation
import Testing

@testable import ContextCore

struct ModelVersionsTests {
    private func version(_ name: String, _ attributes: AttributeDescription...) throws -> ModelVersion {
        ModelVersion(name, try ObjectModel(entities: [EntityDescription("Game", attributes: attributes)]))
    }

    private let a = AttributeDescription("a", .string)
    private let b = AttributeDescription("b", .int64, isOptional: true)
    private let c = AttributeDescription("c", .bool, isOptional: true)

    @Test func `A store is migrated through all versions in order`() throws {
        let versions = try ModelVersions([version("V1", a), version("V2", a, b), version("V3", a, b, c)])
        let all = try versions.transitions(from: versions.versions[0].model).map(\.name)
        #expect(all == ["V1-V2", "V2-V3"])
        let part = try versions.transitions(from: versions.versions[0].model, to: "V2").map(\.name)
        #expect(part == ["V1-V2"])
        let none = try versions.transitions(from: versions.versions[2].model)
        #expect(none.isEmpty)
    }

    @Test func `A newer store, an unknown model and an unknown version are errors`() throws {
        let versions = try ModelVersions([version("V1", a), version("V2", a, b)])
        let newer = #expect(throws: StoreError.self) {
            try versions.transitions(from: versions.versions[1].model, to: "V1")
        }
        #expect(newer?.code == .modelMismatch)
        let unknown = #expect(throws: StoreError.self) {
            try versions.transitions(from: try version("V9", c).model)
        }
        #expect(unknown?.code == .modelMismatch)
        let misspelt = #expect(throws: StoreError.self) {
            try versions.transitions(from: versions.versions[0].model, to: "V22")
        }
        #expect(misspelt?.code == .configuration)
        #expect(misspelt?.remedy == "Did you mean V2?")
        #expect(throws: StoreError.self) { try ModelVersions([]) }
        let repeated = #expect(throws: StoreError.self) {
            try ModelVersions([version("V1", a), version("V1", b)])
        }
        #expect(repeated?.message == "Two versions of the model have the name V1.")
        #expect(repeated?.remedy == "Give each version a unique name.")
    }

    @Test func `Hints declare renames and avoid losses`() throws {
        let old = try version("V1", a)
        var new = try version("V2", .init("title", .string))
        let ambiguous = #expect(throws: StoreError.self) { try ModelTransition(from: old, to: new) }
        #expect(ambiguous?.code == .migrationRefused)
        new.hints.renames = ["Game.title": "a"]
        let transition = try ModelTransition(from: old, to: new)
        #expect(transition.losses == [])
        #expect(transition.difference.changes.map(\.description) == ["Attribute Game.title was called a."])
    }

    @Test func `A property that moves within its tree is neither lost nor new`() throws {
        let old = try ObjectModel(entities: [
            EntityDescription("Thing"), EntityDescription("Game", superentity: "Thing", attributes: [a]),
        ])
        let new = try ObjectModel(entities: [
            EntityDescription("Thing", attributes: [a]), EntityDescription("Game", superentity: "Thing"),
        ])
        #expect(try ModelDifference(from: old, to: new).changes.isEmpty)
    }

    @Test func `Findings name their rule, and accepted ones are notes`() throws {
        let old = try version("V1", a, b)
        var new = try version("V2", .init("a", .int64), .init("d", .data))
        let rules = try ModelTransition(from: old, to: new).findings.map {
            "\($0.severity.rawValue) \($0.rule)"
        }
        #expect(
            rules == ["error type-narrowing", "warning required-without-default", "error drop-attribute"])
        new.hints = MigrationHints(conversions: ["Game.a": "b"], acceptedLosses: ["Game.b"])
        let rest = try ModelTransition(from: old, to: new).findings.map {
            "\($0.severity.rawValue) \($0.rule)"
        }
        #expect(rest == ["warning required-without-default", "note drop-attribute"])
    }

    @Test func `A manifest is read as it was written, and mistakes have positions`() throws {
        var new = try version("V2", .init("title", .string))
        new.hints = MigrationHints(renames: ["Game.title": "a"], conversions: ["Game.title": "a"])
        let manifest = MigrationManifest(
            try ModelTransition(from: version("V1", a), to: new), reasons: ["Game.note": "Nobody read it."])
        let read = try MigrationManifest(fileText: "// reviewed\n" + manifest.fileText)
        #expect(read == manifest)
        #expect(read.operations == ["Attribute Game.title was called a."])
        let error = #expect(throws: ModelFileError.self) {
            try MigrationManifest(fileText: "{\"from\": \"V1\",\n\"too\": \"V2\"}", fileName: "V1-V2.json")
        }
        #expect(
            error?.description.contains("V1-V2.json:2:1: A migration has no “too”: did you mean “to”?")
                == true)
    }

    @Test func `Frozen files form one chain, or none`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["Models", "Migrations"] {
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
        }
        func write(_ text: String, _ path: String) throws {
            try text.write(to: folder.appendingPathComponent(path), atomically: true, encoding: .utf8)
        }
        let versions = [try version("V1", a), try version("V2", a, b), try version("V10", a, b, c)]
        for version in versions { try write(version.model.fileText, "Models/\(version.name).model.json") }
        for (from, to) in zip(versions, versions.dropFirst()) {
            let manifest = MigrationManifest(try ModelTransition(from: from, to: to))
            try write(manifest.fileText, "Migrations/\(from.name)-\(to.name).json")
        }
        let names = try ModelVersions(folder: folder).versions.map(\.name)
        #expect(names == ["V1", "V2", "V10"])
        try write("{\"from\": \"V1\", \"to\": \"V3\"}", "Migrations/V1-V3.json")
        let twice = #expect(throws: StoreError.self) { try ModelVersions(folder: folder) }
        #expect(twice?.message == "Two migrations start at V1, or end at V3.")
    }

    @Test func `Values are converted if nothing is lost`() {
        let cases: [(StoredValue, AttributeType, StoredValue?)] = [
            (.null, .int16, .null), (.int(5), .string, .string("5")), (.string("5"), .int64, .int(5)),
            (.string("x"), .int64, nil), (.int(70_000), .int16, nil), (.int(3), .double, .double(3)),
            (.double(1.5), .int64, nil), (.double(2), .int64, .int(2)),
            (.int(7), .decimal(precision: 9, scale: 2), .decimal(7)),
            (.decimal(1.255), .decimal(precision: 9, scale: 2), nil), (.bool(true), .string, .string("true")),
            (.timestamp(microseconds: 0), .string, .string("1970-01-01T00:00:00Z")),
            (.data(Data([1])), .string, nil), (.string("a"), .data, nil),
        ]
        for (value, type, expected) in cases { #expect(value.converted(to: type) == expected) }
    }
}
