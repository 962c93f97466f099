import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// Versions of a Core Data model that become frozen versions.
struct CoreDataVersionsTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    private static let versions = [
        """
        <entity name="Club"><attribute name="title" attributeType="String"/></entity>
        <entity name="Game"><attribute name="name" attributeType="String"/><attribute name="note" optional="YES" \
        attributeType="String"/><attribute name="size" attributeType="Integer 16" defaultValueString="0"/></entity>
        """,
        """
        <entity name="Match" elementID="Game"><attribute name="title" attributeType="String" elementID="name"/>
        <attribute name="size" attributeType="Integer 32" defaultValueString="0"/></entity>
        """,
        """
        <entity name="Match" elementID="Game" versionHashModifier="2"><attribute name="title" attributeType="String" \
        elementID="name"/><attribute name="size" attributeType="Integer 32" defaultValueString="0"/>
        <attribute name="isOpen" optional="YES" attributeType="Boolean"/></entity>
        """,
    ]

    private func writeModel(_ versions: [String]) throws {
        for (index, version) in versions.enumerated() {
            let folder =
                bench.folder + "/Shop.xcdatamodeld/" + (index == 0 ? "Shop" : "Shop \(index + 1)")
                + ".xcdatamodel"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data("<model>\(version)</model>".utf8).write(to: URL(fileURLWithPath: folder + "/contents"))
        }
    }

    @Test func `Versions become frozen models and migrations, which migrate a store`() throws {
        try writeModel(Self.versions)
        let outcome = bench.run("model", "import", "--coredata", "Shop.xcdatamodeld", "--versions")
        #expect(outcome.exit == .success, "\(outcome.problems)")
        let names = ["Shop", "Shop_2", "Shop_3"]
        for name in names { #expect(outcome.output.contains("/Models/\(name).model.json\n")) }
        let manifest = try MigrationManifest(fileText: try bench.read("Migrations/Shop-Shop_2.json"))
        #expect(manifest.hints.renames == ["Match": "Game", "Match.title": "name"])
        #expect(manifest.hints.removed == ["Club", "Game.note"])
        #expect(Set(manifest.reasons.keys) == ["Club", "Match.note"])

        let store = ["-s", "sqlite:shop.sqlite"]
        #expect(bench.run(["db", "create", "--model", "Models/Shop.model.json"] + store).exit == .success)
        #expect(
            bench.run(
                ["sql", "--write", "INSERT INTO game (_id, _version, name, size) VALUES (1, 2, 'Go', 3)"]
                    + store
            ).exit
                == .success)
        let migration = bench.run(["migrate", "apply"] + store)
        #expect(migration.exit == .success, "\(migration.problems)")
        let found = bench.run(["query", "Match", "-o", "csv"] + store)
        #expect(found.output.contains("Go"))
    }

    @Test func `An added inverse is renamed with the entity of its relationship`() throws {
        let game = #"<entity name="Game"><attribute name="name" attributeType="String"/></entity>"#
        let games = #"<relationship name="games" toMany="YES" optional="YES" destinationEntity="Game"/>"#
        try writeModel([
            "<entity name=\"Club\">\(games)</entity>\(game)",
            "<entity name=\"Team\" elementID=\"Club\">\(games)</entity>\(game)",
        ])
        let outcome = bench.run("model", "import", "--coredata", "Shop.xcdatamodeld", "--versions")
        #expect(outcome.exit == .success, "\(outcome.problems)")
        let manifest = try MigrationManifest(fileText: try bench.read("Migrations/Shop-Shop_2.json"))
        #expect(manifest.hints.renames == ["Team": "Club", "Game.teamOfGames": "clubOfGames"])
        #expect(manifest.hints.removed.isEmpty)
        #expect(!outcome.problems.contains("undecided"), "\(outcome.problems)")
    }

    @Test func `Equal versions are left out, and the current version is printed`() throws {
        try writeModel([Self.versions[1], Self.versions[1]])
        let outcome = bench.run(
            "model", "import", "--coredata", "Shop.xcdatamodeld", "--versions", "--project", "p")
        #expect(outcome.problems.contains("Shop 2: left out, because it is equal to Shop."))
        #expect(outcome.output.split(separator: "\n").count == 1)
        let model = try ObjectModel(
            fileText: bench.run("model", "import", "--coredata", "Shop.xcdatamodeld").output)
        #expect(model.layouts.map(\.name) == ["Match"])
    }
}
