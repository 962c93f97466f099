import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// `migrate dev` for a version that changes again, and for a store whose model is no version.
struct AmendedVersionTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    private static let most = ShopVersions.second.replacing(
        #""more":{"optional":true,"type":"string"}"#,
        with: #""more":{"optional":true,"type":"string"},"most":{"optional":true,"type":"bool"}"#)
    private static let other = ShopVersions.first.replacing(
        #""label":{"type""#, with: #""other":{"optional":true,"type":"string"},"label":{"type""#)

    /// Creates a store that was migrated to V2, and saves a value of its new attribute.
    private func makeProject(_ place: TestPlace) throws {
        bench.variables["SHOP"] = try bench.makeShop(place)
        bench.variables["STORECTL_URL"] = nil
        try bench.write(
            #"{"default": "shop", "stores": {"shop": {"url": {"env": "SHOP"}}, "copy": "sqlite:copy.sqlite"}}"#,
            to: "storectl.json")
        for model in [ShopVersions.first, ShopVersions.second] {
            bench.model = try ObjectModel(fileText: model)
            let outcome = bench.run("migrate", "dev", "--yes")
            try #require(outcome.exit == .success, "\(outcome.problems)")
        }
        let set = bench.run("sql", "--write", "UPDATE sample SET more = 'kept' WHERE _id = 1")
        try #require(set.exit == .success, "\(set.problems)")
    }

    private func files() throws -> [String] {
        try ["Models", "Migrations"].flatMap {
            try FileManager.default.contentsOfDirectory(atPath: bench.folder + "/" + $0).sorted()
        }
    }

    private func values(_ property: String) -> String {
        bench.run("query", "Sample", "-f", property, "-o", "csv").output
    }

    private func expectVersion(_ name: String) {
        #expect(bench.run("migrate", "status").output.hasPrefix("version  \(name)\n"))
        for words in [
            ["migrate", "lint", "-s", "shop"], ["drift", "--check"], ["migrate", "status", "--check"],
        ] {
            let outcome = bench.run(words)
            #expect(outcome.exit == .success, "\(words): \(outcome.output)\(outcome.problems)")
        }
    }

    @Test(arguments: TestPlace.available)
    func `An amended version replaces the last one, and the store keeps its values`(place: TestPlace) throws {
        try makeProject(place)
        bench.model = try ObjectModel(fileText: Self.most)
        #expect(bench.run("migrate", "dev", "--yes", "V3", "--amend").exit == .usage)
        let outcome = bench.run("migrate", "dev", "--yes", "--amend")
        #expect(outcome.exit == .success, "\(outcome.problems)")
        #expect(try files() == ["V1.model.json", "V2.model.json", "V1-V2.json"])
        #expect(try bench.read("Models/V2.model.json") == bench.model?.fileText)
        #expect(try bench.read("Migrations/V1-V2.json").contains("Attribute Sample.most is new."))
        #expect(values("more").contains("kept"))
        expectVersion("V2")
        #expect(bench.run("migrate", "dev", "--yes", "--amend").output == "shop is up to date: it has V2.\n")
    }

    @Test(arguments: TestPlace.available)
    func `Options apply to the version, to the store, or to both`(place: TestPlace) throws {
        try makeProject(place)
        bench.model = try ObjectModel(fileText: Self.other)
        let undecided = bench.run("migrate", "dev", "--yes", "--amend")
        #expect(
            undecided.exit == .refused && undecided.problems.contains("--rename"), "\(undecided.problems)")
        let renamed = bench.run("migrate", "dev", "--yes", "--amend", "--rename", "Sample.more:other")
        #expect(renamed.exit == .success, "\(renamed.problems)")
        #expect(values("other").contains("kept"))
        #expect(!(try bench.read("Migrations/V1-V2.json").contains("rename")))
        bench.model = try ObjectModel(fileText: Self.most)
        let lost = bench.run(
            "migrate", "dev", "--yes", "--amend", "--removed", "Sample.other", "--backup", "none")
        #expect(lost.exit == .refused, "\(lost.problems)")
        #expect(lost.problems.contains("the migration of shop would lose Sample.other."), "\(lost.problems)")
        let accepted = bench.run(
            "migrate", "dev", "--yes", "--amend", "--removed", "Sample.other", "--accept-loss",
            "Sample.other",
            "--backup",
            "none")
        #expect(accepted.exit == .success, "\(accepted.problems)")
        #expect(!(try bench.read("Migrations/V1-V2.json").contains("other")))
        expectVersion("V2")
    }

    @Test func `The decisions of the amended version are kept`() throws {
        bench.variables["STORECTL_URL"] = try bench.makeShop()
        let renamed = ShopVersions.first.replacing("\"label\"", with: "\"caption\"")
        let steps: [(model: String, options: [String])] = [
            (ShopVersions.first, []), (renamed, ["--rename", "Sample.label:caption"]),
        ]
        for (model, options) in steps {
            bench.model = try ObjectModel(fileText: model)
            try #require(bench.run(["migrate", "dev", "--yes"] + options).exit == .success)
        }
        bench.model = try ObjectModel(
            fileText: renamed.replacing(
                #""caption":{"type""#, with: #""x":{"optional":true,"type":"bool"},"caption":{"type""#))
        let amended = bench.run("migrate", "dev", "--yes", "--amend")
        #expect(amended.exit == .success, "\(amended.problems)")
        #expect(try bench.read("Migrations/V1-V2.json").contains(#""Sample.caption": "label""#))
        #expect(values("caption").contains("all"))
    }

    @Test(arguments: TestPlace.available)
    func `A version that another store has isn't amended`(place: TestPlace) throws {
        try makeProject(place)
        #expect(bench.run("data", "copy", "shop", "copy").exit == .success)
        bench.model = try ObjectModel(fileText: Self.most)
        let before = try files()
        let refused = bench.run("migrate", "dev", "--yes", "--amend")
        #expect(
            refused.exit == .refused && refused.problems.contains("the store copy has V2"),
            "\(refused.problems)")
        try bench.write(
            #"{"default": "shop", "stores": {"shop": {"url": {"env": "SHOP"}}, "copy": {"url": {"env": "NOWHERE"}}}}"#,
            to: "storectl.json")
        let unknown = bench.run("migrate", "dev", "--yes", "--amend")
        #expect(
            unknown.exit == .refused
                && unknown.problems.contains("it is unknown whether the store copy has it"))
        try bench.write(
            #"{"default": "shop", "stores": {"shop": {"url": {"env": "SHOP"}}, "copy": "sqlite:none.sqlite"}}"#,
            to: "storectl.json")
        let amended = bench.run("migrate", "dev", "--yes", "--amend")
        #expect(amended.exit == .success, "\(amended.problems)")
        #expect(try files() == before)
    }

    @Test func `An amended version needs a change of the version before`() throws {
        try makeProject(.sqlite)
        bench.model = try ObjectModel(fileText: ShopVersions.first)
        let refused = bench.run("migrate", "dev", "--yes", "--amend")
        #expect(refused.exit == .refused && refused.problems.contains("the model is the same as V1"))
        let bare = bench.run("migrate", "dev", "--yes", "--amend", "--project", "elsewhere")
        #expect(bare.exit == .usage && bare.problems.contains("there is no frozen version to amend"))
    }

    @Test(arguments: TestPlace.available)
    func `A store whose model is no version is migrated directly`(place: TestPlace) throws {
        try makeProject(place)
        for path in ["Models/V2.model.json", "Migrations/V1-V2.json"] {
            try FileManager.default.removeItem(atPath: bench.folder + "/" + path)
        }
        let reverted = bench.run(
            "migrate", "dev", "--yes", "--model", "Models/V1.model.json", "--accept-loss", "Sample.more")
        #expect(
            reverted.exit == .refused && reverted.problems.contains("storectl db drop"),
            "\(reverted.problems)")
        bench.model = try ObjectModel(fileText: Self.most)
        let outcome = bench.run("migrate", "dev", "--yes")
        #expect(outcome.exit == .success, "\(outcome.problems)")
        #expect(try files() == ["V1.model.json", "V2.model.json", "V1-V2.json"])
        #expect(values("more").contains("kept"))
        expectVersion("V2")
    }

    @Test(arguments: TestPlace.available)
    func `A failed amendment leaves the version as it was`(place: TestPlace) throws {
        try makeProject(place)
        let before = try bench.read("Models/V2.model.json")
        bench.model = try ObjectModel(fileText: Self.most)
        bench.stopRequest = .polling { 2 }
        #expect(bench.run("migrate", "dev", "--yes", "--amend").exit == .interrupted)
        #expect(try bench.read("Models/V2.model.json") == before)
        #expect(try files() == ["V1.model.json", "V2.model.json", "V1-V2.json"])
    }
}
