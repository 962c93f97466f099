import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// `migrate dev`, which freezes a changed model and migrates a development store.
struct MigrateDevTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    /// Creates a store of the first model, under the name `shop`, and freezes that model as V1.
    private func makeProject(_ place: TestPlace = .sqlite) throws {
        try configure(bench.makeShop(place))
        bench.model = try ObjectModel(fileText: ShopVersions.first)
        let first = bench.run("migrate", "dev", "--yes")
        try #require(first.exit == .success, "\(first.problems)")
    }

    /// Gives a store the name `shop`, as the only store of the configuration.
    private func configure(_ url: String) throws {
        bench.variables["SHOP"] = url
        bench.variables["STORECTL_URL"] = nil
        try bench.write(#"{"stores": {"shop": {"url": {"env": "SHOP"}}}}"#, to: "storectl.json")
    }

    private func change(_ changes: (String, String)...) throws {
        let text = changes.reduce(ShopVersions.first) { $0.replacing($1.0, with: $1.1) }
        bench.model = try ObjectModel(fileText: text)
    }

    private static let label = #""label":{"type":"string"}"#
    private static let ratio = #""ratio":{"optional":true,"type":"double"},"#
    private static let more = #""more":{"optional":true,"type":"string"}"#

    private func files() throws -> [String] {
        try ["Models", "Migrations"].flatMap { folder in
            let path = bench.folder + "/" + folder
            guard FileManager.default.fileExists(atPath: path) else { return [String]() }
            return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        }
    }

    private var version: String { String(bench.run("migrate", "status").output.prefix { $0 != "\n" }) }

    // MARK: Models that are not frozen

    @Test func `A plan of an application whose model is not frozen says so instead of being empty`() throws {
        try makeProject()
        bench.model = try ObjectModel(fileText: ShopVersions.second)
        let sentence = "the application's model differs from V1, the last frozen version."
        for words in [["migrate", "plan"], ["migrate", "apply"], ["migrate", "apply", "--dry-run"]] {
            let outcome = bench.run(words)
            #expect(outcome.exit == .refused && outcome.problems.contains(sentence), "\(outcome.problems)")
            #expect(outcome.problems.contains("migrate dev'"), "\(outcome.problems)")
            #expect(bench.run(words + ["--to", "V1"]).exit == .success, "The version is named")
        }
        let status = bench.run("migrate", "status", "--check")
        #expect(status.exit == .differences)
        #expect(status.output.contains("pending  nothing\nproblem  \(sentence)\n"), "\(status.output)")
        #expect(bench.run("status").output.contains(sentence))
        // A program of an older version, whose model is frozen, is no mistake.
        #expect(bench.run("migrate", "dev", "--yes").exit == .success)
        bench.model = try ObjectModel(fileText: ShopVersions.first)
        #expect(bench.run("migrate", "plan").exit == .success)
    }

    @Test(arguments: TestPlace.available)
    func `A plan counts the objects that prevent the migration`(place: TestPlace) throws {
        try makeProject(place)
        try change((Self.label, #""label":{"type":"string"},"owner":{"type":"string"}"#))
        let frozen = bench.run("model", "freeze", "V2")
        try #require(frozen.exit == .success, "\(frozen.problems)")
        try #require(bench.run("migrate", "new", "V1", "V2").exit == .success)
        for words in [
            ["migrate", "plan"], ["migrate", "apply", "--dry-run"], ["migrate", "plan", "--sql"],
        ] {
            let outcome = bench.run(words)
            #expect(outcome.exit == .refused, "\(words): \(outcome.output)\(outcome.problems)")
            #expect(
                outcome.output.contains("Objects of the store prevent this migration: 2 objects of Sample"),
                "\(outcome.output)")
        }
        let applied = bench.run("migrate", "apply", "--yes")
        #expect(applied.exit == .refused && applied.problems.contains("2 objects of Sample"))
        #expect(bench.run("migrate", "plan", "--for", "sqlite").exit == .success, "No store has such objects")
    }

    // MARK: The normal case

    @Test(arguments: TestPlace.available)
    func `A changed model is frozen, shown and applied, and a second call changes nothing`(place: TestPlace)
        throws
    {
        try makeProject(place)
        #expect(try self.files() == ["V1.model.json"])
        #expect(bench.run("migrate", "dev", "--yes").output == "shop is up to date: it has V1.\n")
        bench.model = try ObjectModel(fileText: ShopVersions.second)
        let changed = bench.run("migrate", "dev", "--yes")
        #expect(changed.exit == .success, "\(changed.problems)")
        let files = "\(bench.folder)/Models/V2.model.json\n\(bench.folder)/Migrations/V1-V2.json\n"
        #expect(
            changed.output.hasPrefix(files + "  Attribute Sample.more is new.\nV1-V2: "), "\(changed.output)")
        #expect(
            changed.output.hasSuffix(" done.\nThe tables of shop match V2.\nCommit these files.\n"),
            "\(changed.output)")
        #expect(changed.problems.contains("New file: \(bench.folder)/Models/V2.model.json\n"))
        #expect(changed.problems.contains("From V1 to V2:\n  Attribute Sample.more is new.\n"))
        #expect(try bench.read("Models/V2.model.json") == bench.model?.fileText)
        #expect(version == "version  V2")
        for words in [
            ["migrate", "lint", "-s", "shop"], ["drift", "--check"], ["migrate", "status", "--check"],
        ] {
            #expect(bench.run(words).exit == .success, "\(words)")
        }
        let again = bench.run("migrate", "dev", "--yes")
        #expect(
            again.exit == .success && again.output == "shop is up to date: it has V2.\n", "\(again.problems)")
        #expect(try self.files() == ["V1.model.json", "V2.model.json", "V1-V2.json"])
    }

    @Test(arguments: TestPlace.available)
    func `Without frozen versions, the store's model becomes the first`(place: TestPlace) throws {
        try configure(bench.makeShop(place))
        bench.model = try ObjectModel(fileText: ShopVersions.second)
        #expect(bench.run("migrate", "dev", "--yes", "V1").exit == .usage)
        let outcome = bench.run("migrate", "dev", "--yes", "Summer")
        #expect(outcome.exit == .success, "\(outcome.problems)")
        #expect(try files() == ["Summer.model.json", "V1.model.json", "V1-Summer.json"])
        #expect(version == "version  Summer")
        bench.model = try ObjectModel(
            fileText: ShopVersions.second.replacing(
                Self.more, with: Self.more + #","x":{"optional":true,"type":"bool"}"#))
        #expect(bench.run("migrate", "dev", "--yes").exit == .success)
        #expect(version == "version  Summer2")
    }

    @Test(arguments: TestPlace.available)
    func `A missing store is created`(place: TestPlace) throws {
        try configure(place.freshURL())
        bench.model = try ObjectModel(fileText: ShopVersions.first)
        let outcome = bench.run("migrate", "dev", "--yes")
        #expect(outcome.exit == .success && outcome.output.contains(" was created.\n"), "\(outcome.problems)")
        #expect(bench.run("count", "Game").output.contains("0"))
        #expect(version == "version  V1")
    }

    @Test func `The plan is shown as SQL on request, and has to be confirmed at a terminal`() throws {
        try makeProject()
        bench.model = try ObjectModel(fileText: ShopVersions.second)
        bench.isTerminal = true
        bench.lines = ["n"]
        let declined = bench.run("migrate", "dev", "--sql")
        #expect(
            declined.exit == .refused && declined.problems.contains("ALTER TABLE"), "\(declined.problems)")
        #expect(declined.problems.contains("Write the files and migrate shop? [y/N] "))
        #expect(declined.problems.contains("was not confirmed: nothing was changed."))
        #expect(try files() == ["V1.model.json"] && version == "version  V1")
        bench.lines = ["y"]
        #expect(bench.run("migrate", "dev").exit == .success)
        #expect(version == "version  V2")
    }

    @Test func `A production store is refused`() throws {
        let url = try bench.makeShop()
        bench.variables["STORECTL_URL"] = nil
        try bench.write(#"{"stores": {"prod": {"url": "\#(url)", "production": true}}}"#, to: "storectl.json")
        bench.model = try ObjectModel(fileText: ShopVersions.second)
        for store in ["prod", url] {
            let outcome = bench.run("migrate", "dev", "--yes", "-s", store)
            #expect(outcome.exit == .refused && outcome.problems.contains("is a production store"))
        }
        #expect(bench.run("migrate", "dev", "--yes", "-s", "prod", "--confirm", "prod").exit == .usage)
        #expect(try files() == [])
    }

    @Test(arguments: TestPlace.available)
    func `Without a terminal, a change needs a flag, and a store on a server has to be named`(
        place: TestPlace
    ) throws {
        let url = try bench.makeShop(place)
        bench.model = try ObjectModel(fileText: ShopVersions.second)
        let unnamed = bench.run("migrate", "dev")
        #expect(unnamed.exit == .refused, "\(unnamed.output)")
        #expect(unnamed.problems.contains(place == .sqlite ? "Add --yes" : "Pass the store with --store"))
        bench.variables["STORECTL_URL"] = nil
        bench.variables["DATABASE_URL"] = url
        #expect((bench.run("migrate", "dev", "--yes").exit == .success) == (place == .sqlite))
        try configure(url)
        bench.variables["DATABASE_URL"] = nil
        try change(
            (Self.label, #""another":{"optional":true,"type":"bool"},"# + Self.more + "," + Self.label))
        let before = try files()
        let unconfirmed = bench.run("migrate", "dev")
        #expect(unconfirmed.exit == .refused && unconfirmed.problems.contains("Add --yes"))
        #expect(try files() == before)
        #expect(bench.run("migrate", "dev", "--yes").exit == .success)
    }

    // MARK: Decisions

    @Test(arguments: TestPlace.available, [true, false])
    func `A likely rename is asked for, or given by an option`(place: TestPlace, isTerminal: Bool) throws {
        try makeProject(place)
        try change((Self.label, #""caption":{"type":"string"}"#))
        let undecided = bench.run("migrate", "dev", "--yes")
        #expect(undecided.exit == .refused && undecided.problems.contains("--rename OLD:NEW"))
        #expect(try files() == ["V1.model.json"])
        bench.isTerminal = isTerminal
        bench.lines = ["what?", "y", "y"]
        let outcome = bench.run(
            ["migrate", "dev"] + (isTerminal ? [] : ["--yes", "--rename", "Sample.label:caption"]))
        #expect(outcome.exit == .success, "\(outcome.problems)")
        #expect(
            outcome.problems.contains("Was Sample.label renamed to Sample.caption? [y/n] ") == isTerminal)
        #expect(try bench.read("Migrations/V1-V2.json").contains(#""Sample.caption": "label""#))
        #expect(bench.run("query", "Sample", "-f", "caption", "-o", "csv").output.contains("all"))
    }

    @Test(arguments: TestPlace.available, [true, false])
    func `A loss needs a reason, or an option`(place: TestPlace, isTerminal: Bool) throws {
        try makeProject(place)
        try change((Self.ratio, ""))
        let refused = bench.run("migrate", "dev", "--yes")
        #expect(refused.exit == .refused && refused.problems.contains("V1-V2 would lose Sample.ratio."))
        #expect(refused.problems.contains("--accept-loss Sample.ratio"))
        let odd = bench.run("migrate", "dev", "--yes", "--accept-loss", "Sample.ratio,Sample.rati")
        #expect(
            odd.exit == .refused && odd.problems.contains("Did you mean Sample.ratio?"), "\(odd.problems)")
        #expect(try files() == ["V1.model.json"])
        bench.isTerminal = isTerminal
        bench.lines = ["Nobody reads it.", "y"]
        let words =
            ["migrate", "dev", "--backup", "none"]
            + (isTerminal ? [] : ["--yes", "--accept-loss", "Sample.ratio"])
        let outcome = bench.run(words)
        #expect(outcome.exit == .success, "\(outcome.problems)")
        let reason = isTerminal ? "Nobody reads it." : ""
        #expect(try bench.read("Migrations/V1-V2.json").contains(#""Sample.ratio": "\#(reason)""#))
        #expect(bench.run("migrate", "lint").exit == .success)
        #expect(bench.run(words).output == "shop is up to date: it has V2.\n")
    }

    @Test func `Another type needs a conversion`() throws {
        try makeProject()
        try change(
            (#""single":{"optional":true,"type":"float"}"#, #""single":{"optional":true,"type":"int16"}"#))
        let refused = bench.run("migrate", "dev", "--yes")
        #expect(
            refused.exit == .refused && refused.problems.contains("needs a decision"), "\(refused.problems)")
        #expect(try files() == ["V1.model.json"])
        let outcome = bench.run("migrate", "dev", "--yes", "--convert", "Sample.single=1")
        #expect(outcome.exit == .success, "\(outcome.problems)")
    }

    @Test func `A stage belongs to the next version`() throws {
        try makeProject()
        bench.model = try ObjectModel(fileText: ShopVersions.second)
        let stage = MigrationStage("Sample", filling: ["more"]) { sample in
            sample["more"] = .string("filled")
        }
        bench.stages = ["V9": [stage]]
        let unknown = bench.run("migrate", "dev", "--yes")
        #expect(unknown.exit == .configuration && unknown.problems.contains("a migration stage for V9"))
        bench.stages = ["V2": [stage]]
        #expect(bench.run("migrate", "dev", "--yes").exit == .success)
        #expect(bench.run("query", "Sample", "-f", "more", "-o", "csv").output.contains("filled"))
    }

    // MARK: Failures

    @Test(arguments: TestPlace.available)
    func `A migration that changed nothing leaves no files`(place: TestPlace) throws {
        try makeProject(place)
        try change((Self.label, #""must":{"type":"bool"},"# + Self.label))
        let refused = bench.run("migrate", "dev", "--yes")
        #expect(refused.exit == .refused, "\(refused.output)")
        bench.model = try ObjectModel(fileText: ShopVersions.second)
        bench.stopRequest = .polling { 2 }
        #expect(bench.run("migrate", "dev", "--yes").exit == .interrupted)
        #expect(try files() == ["V1.model.json"])
        bench.stopRequest = .none
        #expect(bench.run("migrate", "dev", "--yes").exit == .success)
    }

    @Test(arguments: TestPlace.available)
    func `An unfinished migration is finished first`(place: TestPlace) throws {
        try makeProject(place)
        try bench.freeze("V2", ShopVersions.second, after: "V1")
        #expect(bench.run("migrate", "apply", "--phase", "expand").exit == .success)
        try change((Self.label, Self.more + #","most":{"optional":true,"type":"bool"},"# + Self.label))
        let outcome = bench.run("migrate", "dev", "--yes")
        #expect(outcome.exit == .success, "\(outcome.problems)")
        #expect(version == "version  V3")
        #expect(bench.run("migrate", "status", "--check").exit == .success)
    }

    @Test func `Changed tables are reported`() throws {
        try makeProject()
        #expect(bench.run("sql", "--write", "ALTER TABLE sample ADD COLUMN mine integer").exit == .success)
        let outcome = bench.run("migrate", "dev", "--yes")
        #expect(
            outcome.exit == .differences && outcome.output.contains("don't match V1:\n"), "\(outcome.output)")
    }

    // MARK: Names

    @Test(arguments: [
        ("V9", "V10"), ("summer", "summer2"), ("2026", "2027"), ("v1_9", "v1_10"), ("V3", "V5"),
        ("V99999999999999999999", "V999999999999999999992"),
    ])
    func `The next name counts up`(name: String, next: String) throws {
        let versions = [ModelVersion("V4", try ObjectModel(fileText: ShopVersions.first))]
        #expect(VersionPlanner.successor(of: name, versions) == next)
    }
}
