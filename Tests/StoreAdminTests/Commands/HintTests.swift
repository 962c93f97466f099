import ContextCore
import Testing

@testable import StoreAdmin

/// Hints without effect are errors with a suggestion.
struct HintTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    /// The ratio is removed, the label is renamed, and the single has another type.
    private static let later = ShopVersions.second
        .replacing(#""ratio":{"optional":true,"type":"double"},"#, with: "")
        .replacing(#""label":{"type":"string"}"#, with: #""caption":{"type":"string"}"#)
        .replacing(
            #""single":{"optional":true,"type":"float"}"#, with: #""single":{"optional":true,"type":"int16"}"#
        )

    private static let right = [
        "--rename", "Sample.label:caption", "--removed", "Sample.ratio", "--convert", "Sample.single=1",
    ]

    private static let wrong: [(words: [String], message: String)] = [
        (["--removed", "Sample.rati"], "has no Sample.rati.\n  Did you mean Sample.ratio?"),
        (["--removed", "Nope.x"], "has no Nope.x.\n  Removed: Sample.ratio."),
        (["--removed", "Game"], "Game is declared as removed, but the newer model has it."),
        (["--removed", "Player.name"], "Did you mean Person.name?"),
        (["--rename", "Player.title:name"], "Did you mean Person.name?"),
        (["--rename", "Game.titel:title"], "Game had no such property.\n  Did you mean title?"),
        (["--rename", "Game.title:title"], "Game.title had that name before"),
        (["--rename", "Game:Gam"], "Did you mean Game?"),
        (["--rename", "Gane:Game"], "Did you mean Game?"),
        (["--convert", "Sample.singl=1"], "Did you mean Sample.single?"),
        (["--convert", "Player.name=1"], "Name Person.name in the conversion"),
    ]

    @Test(arguments: wrong)
    func `A hint without effect creates no manifest`(words: [String], message: String) throws {
        try bench.makeProject(.sqlite)
        try bench.freeze("V3", Self.later)
        let refused = bench.run(["migrate", "new", "V2", "V3"] + Self.right + words)
        #expect(refused.exit == .refused, "\(refused.output)\(refused.problems)")
        #expect(refused.problems.contains(message), "\(refused.problems)")
        let accepted = bench.run(
            ["migrate", "new", "V2", "V3", "--accept", "Sample.rati=Gone."] + Self.right)
        #expect(accepted.problems.contains("Did you mean Sample.ratio?"), "\(accepted.problems)")
        let new = bench.run(["migrate", "new", "V2", "V3", "--accept", "Sample.ratio=Gone."] + Self.right)
        #expect(new.exit == .success, "\(new.problems)")
    }

    @Test(arguments: wrong)
    func `A hint without effect applies nothing`(words: [String], message: String) throws {
        _ = try bench.makeShop()
        bench.model = try ObjectModel(fileText: Self.later)
        let before = bench.run("data", "checksum").output
        let words = ["--accept-loss", "Sample.ratio", "--backup", "none"] + Self.right + words
        for command in ["plan", "apply"] {
            let options = command == "plan" ? Array(words.dropFirst(4)) : words
            let refused = bench.run(["migrate", command] + options)
            #expect(refused.exit == .refused, "\(refused.output)\(refused.problems)")
            #expect(refused.problems.contains(message), "\(refused.problems)")
        }
        #expect(bench.run("data", "checksum").output == before)
    }

    @Test(arguments: TestPlace.available)
    func `A loss is accepted by its exact name`(place: TestPlace) throws {
        try bench.makeProject(place)
        try bench.freeze("V3", ShopVersions.third, after: "V2")
        for name in ["Nope", "Sample.rati", "Sample.label"] {
            let refused = bench.run(
                "migrate", "apply", "--accept-loss", "Sample.ratio,\(name)", "--backup", "none")
            #expect(refused.exit == .refused, "\(refused.output)")
            #expect(
                refused.problems.contains(
                    "The loss of \(name) is accepted, but the migration doesn't lose it."))
        }
        #expect(bench.run("migrate", "status").output.hasPrefix("version  V1\n"))
        let applied = bench.run(
            "migrate", "apply", "--accept-loss", "Sample.ratio", "--phase", "contract", "--backup", "none")
        #expect(applied.exit == .success, "\(applied.problems)")
        // A script with the option for every store works for stores that are already migrated, too.
        #expect(bench.run("migrate", "apply", "--accept-loss", "Sample.ratio").exit == .success)
    }

    @Test func `A manifest with a hint without effect is rejected`() throws {
        try bench.makeProject(.sqlite)
        try bench.freeze("V3", ShopVersions.third, after: "V2", losing: "Sample.ratio")
        let path = "Migrations/V2-V3.json"
        let text = try bench.read(path)
        try bench.write(text.replacing("Sample.ratio", with: "Sample.rato"), to: path)
        let refused = bench.run("migrate", "apply", "--backup", "none")
        #expect(refused.exit == .refused && refused.problems.contains("Did you mean Sample.ratio?"))
        try bench.write(text, to: path)
        #expect(bench.run("migrate", "apply", "--backup", "none").exit == .success)
    }

    @Test func `Models are compared with effective removals`() throws {
        try bench.makeProject(.sqlite)
        try bench.freeze("V3", ShopVersions.third, after: "V2", losing: "Sample.ratio")
        let diff = bench.run(
            "model", "diff", "Models/V2.model.json", "Models/V3.model.json", "--removed", "Sample.rato")
        #expect(diff.problems.contains("Did you mean Sample.ratio?"), "\(diff.problems)")
        #expect(
            bench.run(
                "model", "diff", "Models/V2.model.json", "Models/V3.model.json", "--removed", "Sample.ratio"
            ).exit == .differences)
    }
}
