import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// `model generate`.
struct ModelGenerateTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    private static let files = ["AppModel.swift", "Game.swift", "Player.swift"]

    @Test func `The files of a model are written once`() throws {
        try bench.write(ExampleModels.first, to: "V1.model.json")
        let words = ["model", "generate", "--swift", "--model", "V1.model.json", "--out", "Sources/Model"]
        let outcome = bench.run(words)
        #expect(outcome.exit == .success && outcome.problems.isEmpty)
        #expect(
            outcome.output
                == "Sources/Model/Game.swift\nSources/Model/Player.swift\nSources/Model/AppModel.swift\n")
        let written = try FileManager.default.contentsOfDirectory(atPath: bench.folder + "/Sources/Model")
        #expect(written.sorted() == Self.files)
        #expect(try bench.read("Sources/Model/AppModel.swift").hasSuffix("= [Game.self, Player.self]\n"))
        #expect(bench.run(words).output.contains("Sources/Model/Game.swift (unchanged)\n"))
    }

    @Test func `A file that was changed is not overwritten`() throws {
        try bench.write(ExampleModels.first, to: "V1.model.json")
        let words = ["model", "generate", "--swift", "--model", "V1.model.json", "--out", "out"]
        #expect(bench.run(words).exit == .success)
        try bench.write("// mine", to: "out/Game.swift")
        try FileManager.default.removeItem(atPath: bench.folder + "/out/Player.swift")
        let outcome = bench.run(words)
        #expect(outcome.exit == .cannotCreate)
        #expect(outcome.problems.contains("another text: Game.swift. Nothing was written."))
        #expect(try bench.read("out/Game.swift") == "// mine")
        #expect(!FileManager.default.fileExists(atPath: bench.folder + "/out/Player.swift"))
    }

    @Test(arguments: TestPlace.available)
    func `The model is that of the store, or else the last frozen version`(_ place: TestPlace) throws {
        #expect(bench.run("model", "generate", "--swift").exit == .inputMissing)
        bench.variables["SHOP"] = try bench.makeShop(place)
        bench.variables["STORECTL_URL"] = nil
        try bench.write(#"{"stores": {"shop": {"url": {"env": "SHOP"}}}}"#, to: "storectl.json")
        let ofStore = bench.run("model", "generate", "--swift", "-s", "shop")
        #expect(ofStore.output == ModelSource(try ObjectModel(fileText: ShopExport.model)).text)
        try bench.freeze("V1", ExampleModels.first)
        try bench.freeze("V2", ExampleModels.second, after: "V1")
        let ofVersion = bench.run("model", "generate", "--swift", "--out", "-")
        #expect(ofVersion.output == ModelSource(try ObjectModel(fileText: ExampleModels.second)).text)
        #expect(ofVersion.output.contains("var rating: Double?"))
    }

    @Test func `Parts that Swift can't express are listed, and make the exit code 2`() throws {
        try bench.write(ModelSourceTests.odd, to: "odd.model.json")
        let outcome = bench.run("model", "generate", "--swift", "--model", "odd.model.json")
        #expect(outcome.exit == .differences)
        #expect(outcome.problems.contains("Spot.map: “map” is missing"))
        #expect(outcome.problems.hasSuffix("can't open its stores without a migration.\n"))
        let json = try bench.json("model", "generate", "--swift", "--model", "odd.model.json")
        #expect(json["sameFingerprint"] == .bool(false))
        guard case .array(let remarks)? = json["remarks"] else {
            Issue.record("there are no remarks")
            return
        }
        #expect(remarks.count == 4)
    }

    @Test func `The language must be given`() throws {
        let outcome = bench.run("model", "generate")
        #expect(outcome.exit == .usage && outcome.problems.contains("Add --swift"))
    }
}
