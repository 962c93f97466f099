import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// Applications whose migrations run Swift, and tools that look for versions in the wrong folder.
struct StageTests {
    private let bench: AdminBench

    init() throws {
        bench = try AdminBench()
        bench.model = try ObjectModel(fileText: ShopVersions.second)
    }

    private static let stage = MigrationStage("Sample", filling: ["more"]) { sample in
        sample["more"] = .string("more of \(sample.text("label"))")
    }

    @Test(arguments: TestPlace.available)
    func `Stages run on the way to their versions`(place: TestPlace) throws {
        bench.stages = ["V2": [Self.stage]]
        try bench.makeProject(place)
        let applied = bench.run("migrate", "apply", "--phase", "contract")
        #expect(applied.exit == .success, "\(applied.problems)")
        #expect(bench.run("query", "Sample", "-f", "more", "-o", "csv").output.contains("more of all"))
    }

    @Test(arguments: TestPlace.available)
    func `Stages with missing versions are never skipped`(place: TestPlace) throws {
        try bench.makeProject(place)
        bench.stages = ["V2": [Self.stage]]
        for words in [["plan"], ["apply"], ["complete"], ["status"], ["plan", "--for", "sqlite"]] {
            let outcome = bench.run(["migrate"] + words + ["--project", "elsewhere"])
            #expect(outcome.exit == .inputMissing, "\(words): \(outcome.problems)")
            #expect(
                outcome.problems.contains(
                    "this tool has migration stages for V2, but there is no frozen model in"))
            #expect(outcome.problems.contains("\(bench.folder)/elsewhere/Models"))
            #expect(outcome.problems.contains("--project"))
        }
        #expect(bench.run("migrate", "status").output.hasPrefix("version  V1\n"))
    }

    @Test(arguments: TestPlace.available)
    func `A stage of a missing version is rejected`(place: TestPlace) throws {
        try bench.makeProject(place)
        bench.stages = ["V22": [Self.stage]]
        let outcome = bench.run("migrate", "apply")
        #expect(outcome.exit == .configuration)
        #expect(outcome.problems.contains("a stage for the version V22"))
        #expect(outcome.problems.contains("Did you mean V2? The versions are V1, V2."))
        // Before the version is frozen, the stage exists already.
        #expect(bench.run("model", "check").exit == .success)
        bench.stages = [:]
        #expect(bench.run("migrate", "status").output.hasPrefix("version  V1\n"))
    }

    @Test(arguments: TestPlace.available)
    func `Versions for a store that was migrated through several are never inferred`(place: TestPlace)
        throws
    {
        try bench.makeProject(place)
        #expect(bench.run("migrate", "apply", "--phase", "contract").exit == .success)
        let elsewhere = ["--project", "elsewhere"]
        // Nothing needs to be inferred for a store with the current model.
        #expect(bench.run(["migrate", "status", "--check"] + elsewhere).exit == .success)
        bench.model = try ObjectModel(fileText: ShopVersions.third)
        for words in [["plan"], ["apply", "--accept-loss", "Sample.ratio"], ["status"]] {
            let outcome = bench.run(["migrate"] + words + elsewhere)
            #expect(outcome.exit == .inputMissing, "\(words): \(outcome.problems)")
            #expect(
                outcome.problems.contains("store was migrated through the versions V1, V2, but there is no"))
        }
        #expect(bench.run("query", "Sample", "-f", "ratio", "-o", "csv").output.contains("0.1"))
    }

    @Test(arguments: TestPlace.available)
    func `Nothing is finished if a later part is rejected`(place: TestPlace) throws {
        try bench.makeProject(place)
        #expect(bench.run("migrate", "apply").exit == .success)
        #expect(bench.run("migrate", "status", "--check").exit == .differences)
        bench.model = try ObjectModel(fileText: ShopVersions.third)
        for words in [["apply", "--phase", "contract"]] {
            let outcome = bench.run(
                ["migrate"] + words + ["--project", "elsewhere", "--accept-loss", "Sample.ratio"])
            #expect(outcome.exit == .inputMissing, "\(words): \(outcome.problems)")
            #expect(
                outcome.problems.contains("store was migrated through the versions V1, V2, but there is no"))
        }
        let state = try bench.json("migrate", "status")
        #expect(state["run"]?.text.contains("V1-V2") == true, "\(state)")
        #expect(bench.run("migrate", "complete").exit == .success)
        #expect(bench.run("migrate", "status").output.hasPrefix("version  V2\n"))
    }

    @Test func `Inferring in a project without frozen versions is not reported`() throws {
        let url = try bench.makeShop()
        bench.variables["STORECTL_URL"] = nil
        #expect(bench.run("init", "--url", url).exit == .success)
        for words in [["plan"], ["apply", "--yes"]] {
            let outcome = bench.run(["migrate"] + words)
            #expect(outcome.exit == .success, "\(words): \(outcome.problems)")
            #expect(!outcome.problems.contains("there is no frozen model"), "\(outcome.problems)")
        }
    }

    @Test(arguments: TestPlace.available)
    func `Inferring without frozen versions is reported`(place: TestPlace) throws {
        try bench.makeProject(place)
        for words in [["plan"], ["apply", "--phase", "contract"]] {
            let outcome = bench.run(["migrate"] + words + ["--project", "elsewhere"])
            #expect(outcome.exit == .success, "\(words): \(outcome.problems)")
            #expect(
                outcome.problems.contains("there is no frozen model in \(bench.folder)/elsewhere/Models, so"))
            #expect(outcome.problems.contains("--project"))
        }
        // If nothing is left to do, nothing is inferred.
        #expect(bench.run("migrate", "plan", "--project", "elsewhere").problems == "")
    }
}
