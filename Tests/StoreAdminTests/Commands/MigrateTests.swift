import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// `model freeze`, `model check`, `migrate` and `drift`.
struct MigrateTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    private static let second = ShopExport.model.replacing(
        #""label":{"type""#, with: #""more":{"optional":true,"type":"string"},"label":{"type""#)
    /// A version without an attribute, whose values are lost.
    private static let third = second.replacing(#""ratio":{"optional":true,"type":"double"},"#, with: "")

    private func freeze(_ name: String, _ model: String) throws {
        try bench.write(model, to: "\(name).json")
        let outcome = bench.run("model", "freeze", name, "--model", "\(name).json")
        try #require(outcome.exit == .success, "\(outcome.problems)")
    }

    /// Creates a store of V1, under the name `shop`, and freezes V1 and V2.
    private func project(_ place: TestPlace) throws {
        bench.variables["SHOP"] = try bench.makeShop(place)
        bench.variables["STORECTL_URL"] = nil
        try bench.write(#"{"stores": {"shop": {"url": {"env": "SHOP"}}}}"#, to: "storectl.json")
        try freeze("V1", ShopExport.model)
        try freeze("V2", Self.second)
        let new = bench.run("migrate", "new", "V1", "V2")
        try #require(new.exit == .success, "\(new.problems)")
    }

    // MARK: Versions

    @Test func `A model is frozen once, and compared with the last version`() throws {
        try project(.sqlite)
        #expect(try bench.read("Models/V1.model.json") == ObjectModel(fileText: ShopExport.model).fileText)
        #expect(bench.run("model", "freeze", "V3", "--model", "V2.json").exit == .refused)
        try bench.write(Self.third, to: "third.json")
        #expect(bench.run("model", "freeze", "V2", "--model", "third.json").exit == .cannotCreate)
        #expect(bench.run("model", "freeze", "a/b", "--model", "third.json").exit == .usage)
        let unnamed = bench.run("model", "freeze", "V3")
        #expect(
            unnamed.exit == .usage
                && unnamed.problems.contains("Name the model with --model FILE or --model store."))
        #expect(bench.run("model", "check", "--model", "V2.json").output == "The model is the same as V2.\n")
        #expect(bench.run("model", "check", "--model", "V1.json").exit == .differences)
        #expect(bench.run("model", "check", "--model", "V1.json", "--project", "none").exit == .inputMissing)
        bench.model = try ObjectModel(fileText: Self.second)
        #expect(bench.run("model", "check").exit == .success)
    }

    @Test func `Without a frozen model, the error suggests the command`() throws {
        let url = try bench.makeShop()
        let outcome = bench.run("migrate", "plan", "-s", url)
        #expect(outcome.exit == .inputMissing)
        #expect(outcome.problems.contains("there is no frozen model in \(bench.folder)/Models."))
        #expect(outcome.problems.contains("Use the application's own tool, or freeze a model"))
    }

    @Test func `A renamed property can be declared with the former name of its entity`() throws {
        let url = try bench.makeShop()
        bench.model = try ObjectModel(
            fileText: ShopExport.model.replacing("Sample", with: "Example").replacing(
                #""label":{"type":"string"}"#, with: #""name":{"type":"string"}"#))
        for property in ["Sample.label:name", "Example.label:name", "Sample.label:Example.name"] {
            let plan = bench.run(
                "migrate", "plan", "--rename", "Sample:Example", "--rename", property, "-s", url)
            #expect(plan.exit == .success, "\(plan.problems)")
        }
    }

    @Test func `A rename can be declared without a frozen model`() throws {
        let url = try bench.makeShop()
        bench.model = try ObjectModel(
            fileText: ShopExport.model.replacing(
                #""label":{"type":"string"}"#, with: #""name":{"type":"string"}"#))
        let undecided = bench.run("migrate", "plan", "-s", url)
        #expect(
            undecided.exit == .refused && undecided.problems.contains("--rename OLD:NEW and --removed OLD"))
        let rename = ["--rename", "Sample.label:name", "-s", url]
        let plan = bench.run(["migrate", "plan"] + rename)
        #expect(plan.exit == .success, "\(plan.problems)")
        #expect(bench.run(["migrate", "apply", "--phase", "contract"] + rename).exit == .success)
        let names = bench.run("query", "Sample order by name", "-f", "name", "-o", "csv", "-s", url)
        #expect(names.output.contains("all") && names.output.contains("none"))
        #expect(bench.run("migrate", "plan", "--rename", "Sample", "-s", url).exit == .usage)
        #expect(bench.run("migrate", "plan", "--rename", "Sample.name=label", "-s", url).exit == .usage)
        try freeze("V1", ShopExport.model)
        let frozen = bench.run(["migrate", "plan"] + rename)
        #expect(frozen.exit == .usage && frozen.problems.contains("storectl migrate new"))
    }

    @Test func `A manifest describes the differences for reviewers`() throws {
        try project(.sqlite)
        #expect(try bench.read("Migrations/V1-V2.json").contains("more"))
        #expect(bench.run("migrate", "new", "V1", "V2").exit == .cannotCreate)
        #expect(bench.run("migrate", "new", "V1", "V9").exit == .inputMissing)
        #expect(bench.run("migrate", "new", "V2", "V1", "--convert", "x").exit == .usage)
        try freeze("V3", Self.third)
        let new = bench.run("migrate", "new", "V2", "V3", "--removed", "Sample.ratio")
        #expect(new.output.contains("Lost, and not accepted: Sample.ratio."))
    }

    @Test func `Lint finds losses and an invalid chain`() throws {
        try project(.sqlite)
        #expect(bench.run("migrate", "lint").exit == .success)
        try freeze("V3", Self.third)
        #expect(bench.run("migrate", "lint").exit == .configuration)
        #expect(bench.run("migrate", "new", "V2", "V3", "--removed", "Sample.ratio").exit == .success)
        let lint = bench.run("migrate", "lint")
        #expect(lint.exit == .differences)
        #expect(lint.output.contains("drop-attribute"))
        try FileManager.default.removeItem(atPath: bench.folder + "/Migrations/V2-V3.json")
        let accept = bench.run(
            "migrate", "new", "V2", "V3", "--removed", "Sample.ratio", "--accept",
            "Sample.ratio=Nobody read it.")
        #expect(accept.exit == .success)
        #expect(bench.run("migrate", "lint").exit == .success)
        #expect(bench.run("migrate", "lint", "--project", "none").exit == .inputMissing)
    }

    @Test func `Lint finds two versions with the same predecessor`() throws {
        try project(.sqlite)
        try freeze("V2b", Self.third)
        #expect(
            bench.run(
                "migrate", "new", "V1", "V2b", "--removed", "Sample.ratio", "--accept", "Sample.ratio=Gone."
            ).exit == .success)
        let lint = bench.run("migrate", "lint")
        #expect(lint.exit == .differences, "\(lint.problems)")
        #expect(lint.output.contains("two-heads"))
        #expect(lint.output.contains("V2 and V2b both follow V1"))
    }

    @Test(arguments: TestPlace.available)
    func `Lint finds a version that was edited after a store was migrated to it`(place: TestPlace) throws {
        try project(place)
        #expect(bench.run("migrate", "apply", "--phase", "contract").exit == .success)
        #expect(bench.run("migrate", "lint", "-s", "shop").exit == .success)
        let edited = Self.second.replacing(
            #""more":{"optional":true,"type":"string"}"#, with: #""more":{"optional":true,"type":"int64"}"#)
        let model = try ObjectModel(fileText: edited)
        try bench.write(model.fileText, to: "Models/V2.model.json")
        #expect(bench.run("migrate", "lint").exit == .success)
        let lint = bench.run("migrate", "lint", "-s", "shop")
        #expect(lint.exit == .differences, "\(lint.problems)")
        #expect(lint.output.contains("edited-after-apply"))
    }

    @Test(arguments: TestPlace.available, [true, false])
    func `Lint finds a version that was edited after a store was adopted as it`(
        place: TestPlace, isStore: Bool
    ) throws {
        try project(place)
        if !isStore { try removeMetadata(place) }
        #expect(bench.run("migrate", "adopt").output == "The tables match version V1, which was recorded.\n")
        #expect(bench.run("migrate", "lint", "-s", "shop").exit == .success)
        let model = try ObjectModel(
            fileText: ShopExport.model.replacing(
                #""ratio":{"optional":true,"type":"double"}"#,
                with: #""ratio":{"optional":true,"type":"float"}"#))
        try bench.write(model.fileText, to: "Models/V1.model.json")
        let lint = bench.run("migrate", "lint", "-s", "shop")
        #expect(lint.exit == .differences, "\(lint.problems)")
        #expect(lint.output.contains("edited-after-apply"))
        #expect(lint.output.contains("V1"))
    }

    // MARK: Tables of other programs

    /// Removes the metadata of a store, and leaves the tables of its entities.
    private func removeMetadata(_ place: TestPlace) throws {
        let tables = ["metadata", "models", "entities", "keys", "history", "migrations"]
        for table in tables {
            let outcome = bench.run("sql", "--write", "DROP TABLE \"_store_\(table)\"")
            try #require(outcome.exit == .success, "\(outcome.problems)")
        }
        switch place {
        case .sqlite:
            for name in ["application_id", "user_version"] {
                #expect(bench.run("sql", "--write", "PRAGMA \(name) = 0").exit == .success)
            }
        case .postgres:
            let drop = """
                DO $do$ DECLARE found text; BEGIN FOR found IN SELECT sequencename FROM pg_sequences \
                WHERE schemaname = current_schema() LOOP EXECUTE format('DROP SEQUENCE %I', found); END LOOP; END $do$
                """
            #expect(bench.run("sql", "--write", drop).exit == .success)
        }
    }

    @Test(arguments: TestPlace.available)
    func `Tables of other programs become a store if they match a version`(place: TestPlace) throws {
        try project(place)
        let before = bench.run("query", "Sample", "-o", "csv").output
        try removeMetadata(place)
        #expect(bench.run("status", "--check").exit != .success)
        let other = bench.run("migrate", "baseline", "--at", "V2")
        #expect(other.exit == .differences, "\(other.problems)")
        #expect(other.output.contains("The column sample.more is missing."), "\(other.output)")
        #expect(bench.run("migrate", "baseline", "--at", "V9").exit == .usage)
        #expect(bench.run("sql", "--write", "ALTER TABLE sample ADD COLUMN mine integer").exit == .success)
        let mine = bench.run("migrate", "adopt")
        #expect(mine.exit == .differences)
        #expect(
            mine.output.contains("The tables don't match version V1. Nothing was changed."), "\(mine.output)")
        #expect(mine.output.contains("The column sample.mine is not in the model."))
        #expect(bench.run("sql", "--write", "ALTER TABLE sample DROP COLUMN mine").exit == .success)
        let adopted = bench.run("migrate", "adopt")
        #expect(adopted.output == "The tables match version V1, which was recorded.\n", "\(adopted.problems)")
        #expect(bench.run("query", "Sample", "-o", "csv").output == before)
        #expect(bench.run("drift", "--check").exit == .success)
        #expect(bench.run("check").exit == .success)
        #expect(bench.run("migrate", "apply", "--phase", "contract").exit == .success)
        #expect(bench.run("migrate", "status", "--check").exit == .success)
    }

    @Test(arguments: TestPlace.available)
    func `A manually migrated store is adopted, but not one with a migration in progress`(place: TestPlace)
        throws
    {
        try project(place)
        #expect(bench.run("migrate", "adopt").output == "The tables match version V1, which was recorded.\n")
        #expect(bench.run("migrate", "history").output == "no migrations\n")
        let type = place == .sqlite ? "TEXT" : "text COLLATE \"C\""
        #expect(bench.run("sql", "--write", "ALTER TABLE sample ADD COLUMN more \(type)").exit == .success)
        #expect(bench.run("migrate", "baseline", "--at", "V1").exit == .differences)
        let adopted = bench.run("migrate", "adopt")
        #expect(
            adopted.output == "The tables match version V2, which was recorded.\n",
            "\(adopted.output)\(adopted.problems)")
        #expect(bench.run("migrate", "status").output.hasPrefix("version  V2\n"))
        #expect(bench.run("migrate", "history", "-o", "csv").output.contains("\r\nto V2,"))
        #expect(bench.run("drift", "--check").exit == .success)
        try freeze("V3", Self.third)
        #expect(
            bench.run(
                "migrate", "new", "V2", "V3", "--removed", "Sample.ratio", "--accept", "Sample.ratio=Gone."
            ).exit == .success)
        #expect(bench.run("migrate", "apply", "--backup", "none").exit == .success)
        let begun = bench.run("migrate", "adopt")
        #expect(begun.exit == .temporary, "\(begun.exit)")
    }

    // MARK: Stores

    @Test(arguments: TestPlace.available)
    func `A store is planned, migrated, and has the new model`(place: TestPlace) throws {
        try project(place)
        let before = bench.run("query", "Sample", "-f", "label,ratio", "-o", "csv").output
        let status = bench.run("migrate", "status", "--check")
        #expect(status.exit == .differences)
        #expect(status.output.contains("pending  V1-V2\nnext     storectl migrate plan\n"))
        let plan = bench.run("migrate", "plan")
        #expect(plan.output.hasPrefix("From V1 to V2:\n"))
        #expect(bench.run("migrate", "plan", "--sql").output.contains("more"))
        #expect(bench.run("migrate", "apply", "--dry-run").output == plan.output)
        #expect(bench.run("migrate", "history").output == "no migrations\n")

        let apply = bench.run("migrate", "apply")
        #expect(apply.exit == .success, "\(apply.problems)")
        let complete = bench.run("migrate", "complete")
        #expect(complete.exit == .success, "\(complete.problems)")
        #expect(bench.run("migrate", "status", "--check").exit == .success)
        #expect(bench.run("migrate", "status").output.hasPrefix("version  V2\n"))
        #expect(bench.run("migrate", "history", "-o", "csv").output.contains("\r\nV1-V2,"))
        #expect(bench.run("query", "Sample", "-f", "label,ratio", "-o", "csv").output == before)
        #expect(bench.run("drift", "--check").exit == .success)
        #expect(bench.run("check").exit == .success)
        #expect(bench.run("migrate", "apply").output == "There was nothing to do.\n")
        #expect(bench.run("migrate", "resume").output == "There is no unfinished migration.\n")
        #expect(bench.run("migrate", "apply", "--to", "V1").exit == .badData)
        #expect(bench.run("migrate", "apply", "--to", "V9").exit == .configuration)
    }

    @Test(arguments: TestPlace.available)
    func `Nothing is lost without consent and a backup`(place: TestPlace) throws {
        try project(place)
        try freeze("V3", Self.third)
        #expect(bench.run("migrate", "new", "V2", "V3", "--removed", "Sample.ratio").exit == .success)
        let before = bench.run("data", "checksum").output
        let refused = bench.run("migrate", "apply", "--backup", "none")
        #expect(refused.exit == .refused)
        #expect(refused.problems.contains("Sample.ratio"))
        #expect(bench.run("data", "checksum").output == before)
        let applied = bench.run(
            "migrate", "apply", "--accept-loss", "Sample.ratio", "--phase", "contract", "--backup",
            "before.sqlite")
        #expect(applied.exit == .success, "\(applied.problems)")
        #expect(bench.run("data", "checksum", "-s", "sqlite:before.sqlite").output == before)
        #expect(bench.run("migrate", "status", "--check").exit == .success)
        #expect(!bench.run("query", "Sample").output.contains("ratio"))
    }

    @Test(arguments: TestPlace.available)
    func `Data saved before the last phase is backed up before it is removed`(place: TestPlace) throws {
        try project(place)
        try freeze("V3", Self.third)
        #expect(bench.run("migrate", "new", "V2", "V3", "--removed", "Sample.ratio").exit == .success)
        #expect(bench.run("migrate", "apply", "--to", "V2", "--phase", "contract").exit == .success)
        let words = ["--accept-loss", "Sample.ratio"]
        let applied = bench.run(["migrate", "apply", "--backup", "none"] + words)
        #expect(applied.exit == .success, "\(applied.problems)")
        // A program of the older version continues in the meantime.
        #expect(bench.run("sql", "--write", "UPDATE sample SET ratio = 0.75").exit == .success)
        let completed = bench.run(["migrate", "complete", "--backup", "last.sqlite"] + words)
        #expect(completed.exit == .success, "\(completed.problems)")
        #expect(!bench.run("query", "Sample").output.contains("ratio"))
        let kept = bench.run(
            "sql", "SELECT DISTINCT ratio FROM sample", "-s", "sqlite:last.sqlite", "-o", "csv")
        #expect(kept.output.contains("0.75"), "\(kept.problems)")
    }

    @Test(arguments: TestPlace.available)
    func `Each migration with losses has its own backup`(place: TestPlace) throws {
        try project(place)
        try freeze("V3", Self.third)
        let fourth = Self.third.replacing(#""more":{"optional":true,"type":"string"},"#, with: "")
        try freeze("V4", fourth)
        for (from, to, name) in [("V2", "V3", "Sample.ratio"), ("V3", "V4", "Sample.more")] {
            #expect(bench.run("migrate", "new", from, to, "--removed", name).exit == .success)
        }
        #expect(bench.run("migrate", "apply", "--to", "V2", "--phase", "contract").exit == .success)
        #expect(bench.run("sql", "--write", "UPDATE sample SET more = 'm', ratio = 0.75").exit == .success)
        let words = ["--accept-loss", "Sample.ratio,Sample.more"]
        // The first migration stops where programs of both versions work.
        #expect(bench.run(["migrate", "apply", "--to", "V3", "--backup", "none"] + words).exit == .success)
        let completed = bench.run(
            ["migrate", "complete", "--to", "V4", "--backup", "last.sqlite", "--json"] + words)
        #expect(completed.exit == .success, "\(completed.problems)")
        #expect(completed.output.contains("last-2.sqlite"))
        #expect(bench.run("migrate", "status", "--check").exit == .success)
        for (file, name, value) in [("last", "ratio", "0.75"), ("last-2", "more", "m")] {
            let kept = bench.run(
                "sql", "SELECT DISTINCT \(name) FROM sample", "-s", "sqlite:\(file).sqlite", "-o", "csv")
            #expect(kept.output.contains(value), "\(kept.problems)")
        }
    }

    @Test(arguments: TestPlace.available)
    func `The migration in progress is planned and applied first, then the next one`(place: TestPlace)
        throws
    {
        try project(place)
        #expect(bench.run("migrate", "apply").output.contains("the contract phase waits"))
        try freeze("V3", Self.third)
        #expect(bench.run("migrate", "new", "V2", "V3", "--removed", "Sample.ratio").exit == .success)
        for plan in [bench.run("migrate", "plan"), bench.run("migrate", "apply", "--dry-run")] {
            #expect(
                plan.output.hasPrefix("The migration V1-V2 is unfinished. The remaining steps:\n"),
                "\(plan.problems)")
        }
        #expect(bench.run("migrate", "plan", "--sql").output.hasPrefix("-- V1-V2, the remaining steps\n"))
        #expect(bench.run("migrate", "plan", "--out", "plan.json").exit == .refused)
        #expect(bench.run("migrate", "apply").output.contains("the contract phase waits"))
        let apply = bench.run("migrate", "apply", "--phase", "contract", "--backup", "none")
        #expect(apply.exit == .refused)
        #expect(
            apply.problems.contains("add --accept-loss Sample.ratio to the command"), "\(apply.problems)")
        #expect(bench.run("migrate", "status").output.hasPrefix("version  V2\n"))
        let rest = bench.run(
            "migrate", "apply", "--phase", "contract", "--backup", "none", "--accept-loss", "Sample.ratio")
        #expect(rest.output.hasPrefix("V2-V3: "), "\(rest.problems)")
    }

    @Test(arguments: TestPlace.available)
    func `Only the approved plan runs`(place: TestPlace) throws {
        try project(place)
        #expect(bench.run("migrate", "plan", "--out", "plan.json").exit == .success)
        #expect(bench.run("migrate", "plan", "--out", "plan.json").exit == .cannotCreate)
        try bench.write(
            bench.read("plan.json").replacing(#""digest": ""#, with: #""digest": "0"#), to: "other.json")
        #expect(bench.run("migrate", "apply", "--plan", "other.json").exit == .refused)
        #expect(bench.run("migrate", "apply", "--plan", "V1.json").exit == .badData)
        #expect(bench.run("migrate", "apply", "--plan", "none.json").exit == .inputMissing)
        #expect(bench.run("migrate", "status", "--check").exit == .differences)
        #expect(bench.run("migrate", "apply", "--plan", "plan.json").exit == .success)
    }

    @Test(arguments: TestPlace.available)
    func `The rest of an approved plan runs with the same file`(place: TestPlace) throws {
        try project(place)
        try freeze("V3", Self.third)
        #expect(bench.run("migrate", "new", "V2", "V3", "--removed", "Sample.ratio").exit == .success)
        #expect(bench.run("migrate", "plan", "--out", "plan.json").exit == .success)
        // The first migration stops where programs of both versions work.
        let arguments = [
            "migrate", "apply", "--plan", "plan.json", "--accept-loss", "Sample.ratio", "--backup", "none",
        ]
        let first = bench.run(arguments)
        #expect(first.output.contains("the contract phase waits"), "\(first.problems)")
        let rest = bench.run(arguments + ["--phase", "contract"])
        #expect(rest.exit == .success, "\(rest.problems)")
        #expect(rest.output.hasPrefix("V1-V2, V2-V3: "))
        #expect(bench.run("migrate", "status", "--check").exit == .success)
        #expect(bench.run(arguments).exit == .refused)
    }

    @Test(arguments: TestPlace.available)
    func `A migration in progress is rolled back after its losses are accepted`(place: TestPlace) throws {
        try project(place)
        let before = bench.run("data", "checksum").output
        #expect(bench.run("migrate", "rollback").problems.contains("There is no unfinished migration"))
        #expect(bench.run("migrate", "apply").exit == .success)
        let status = bench.run("migrate", "status")
        #expect(status.output.contains("started  V1-V2, "), "\(status.output)")
        let unnamed = bench.run("migrate", "rollback")
        #expect(unnamed.exit == .refused)
        #expect(unnamed.problems.contains("Sample.more"))
        let back = bench.run("migrate", "rollback", "--accept-loss", "Sample.more")
        #expect(back.output == "V1-V2 was rolled back.\n")
        #expect(bench.run("migrate", "status").output.hasPrefix("version  V1\n"))
        #expect(bench.run("data", "checksum").output == before)
        #expect(bench.run("drift", "--check").exit == .success)
        #expect(bench.run("migrate", "complete").exit == .success)
    }

    @Test(arguments: ["sqlite", "postgres"])
    func `A plan needs no store`(backend: String) throws {
        try project(.sqlite)
        let script = bench.run("migrate", "script", "--for", backend)
        #expect(script.exit == .success, "\(script.problems)")
        #expect(script.output.hasPrefix("-- V1-V2\n") && script.output.contains("more"))
        #expect(bench.run("migrate", "plan", "--for", backend, "--sql").output == script.output)
        #expect(bench.run("migrate", "plan", "--for", backend, "--from", "V9").exit == .usage)
        #expect(
            bench.run("migrate", "plan", "--for", backend + "x").problems.contains("Did you mean \(backend)?")
        )
    }

    @Test func `A terminal user confirms, and production requires its name`() throws {
        try project(.sqlite)
        bench.isTerminal = true
        bench.lines = ["n"]
        let asked = bench.run("migrate", "apply")
        #expect(asked.exit == .refused)
        #expect(asked.problems.contains("Migrate shop? [y/N] "))
        try bench.write(
            #"{"stores": {"shop": {"url": {"env": "SHOP"}, "production": true}}}"#, to: "storectl.json")
        bench.lines = ["y"]
        #expect(bench.run("migrate", "apply").exit == .refused)
        #expect(bench.run("migrate", "apply", "--confirm", "shop").exit == .success)
    }

    @Test(arguments: TestPlace.available)
    func `Drift reports manual changes to the tables`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        #expect(bench.run("drift").output == "the tables match the model\n")
        #expect(bench.run("sql", "--write", "ALTER TABLE sample ADD COLUMN mine integer").exit == .success)
        let drift = bench.run("drift", "--check")
        #expect(drift.exit == .differences)
        #expect(drift.output.contains("mine"))
        #expect(bench.run("drift").exit == .success)
    }

    @Test func `An application's own tool needs no frozen versions`() throws {
        _ = try bench.makeShop()
        #expect(bench.run("migrate", "plan").exit == .inputMissing)
        bench.model = try ObjectModel(fileText: Self.second)
        let applied = bench.run("migrate", "apply")
        #expect(applied.exit == .success)
        // The migration is named by its models, as they are called in the plan.
        let name = "from the store's model to the program's model"
        #expect(applied.problems.contains("\(name), step 1 of "), "\(applied.problems)")
        #expect(bench.run("migrate", "complete").exit == .success)
        #expect(bench.run("migrate", "status", "--check").exit == .success)
        #expect(bench.run("status", "--check").exit == .success)
    }
}
