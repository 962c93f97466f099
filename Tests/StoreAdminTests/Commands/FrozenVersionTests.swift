import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// The files of versions and of the migrations between them.
struct FrozenVersionTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    @Test(arguments: TestPlace.available)
    func `A model that returns is a separate version`(place: TestPlace) throws {
        try bench.makeProject(place)
        #expect(bench.run("model", "check", "--model", "V1.json").exit == .differences)
        try bench.freeze("V3", ShopVersions.first, after: "V2", losing: "Sample.more")
        #expect(bench.run("model", "check", "--model", "V1.json").exit == .success)
        let again = bench.run("model", "freeze", "V4", "--model", "V1.json")
        #expect(again.exit == .refused)
        #expect(again.problems.contains("the model is already frozen as V3"))
        #expect(bench.run("migrate", "apply", "--to", "V2", "--phase", "contract").exit == .success)
        let back = bench.run("migrate", "apply", "--phase", "contract", "--backup", "none")
        #expect(back.output.hasPrefix("V2-V3: "), "\(back.problems)")
        #expect(bench.run("migrate", "status").output.hasPrefix("version  V3\n"))
        #expect(bench.run("drift", "--check").exit == .success)
    }

    @Test func `A model that returns with other values is found`() throws {
        func model(_ type: String, _ modifier: String = "") -> String {
            #"{"entities": {"Bill": {"attributes": {"amount": {"type": "\#(type)"}}\#(modifier)}}, "format": 1}"#
        }
        func freeze(_ name: String, _ text: String, after older: String? = nil, _ conversion: String = "")
            throws
        {
            try bench.write(text, to: "\(name).json")
            #expect(bench.run("model", "freeze", name, "--model", "\(name).json").exit == .success)
            guard let older else { return }
            let new = bench.run("migrate", "new", older, name, "--convert", "Bill.amount=\(conversion)")
            #expect(new.exit == .success, "\(new.problems)")
        }
        try freeze("V1", model("int64"))
        try freeze("V2", model("double"), after: "V1", "amount / 100.0")
        #expect(bench.run("migrate", "lint").exit == .success)
        try freeze("V3", model("int64"), after: "V2", "amount")
        let lint = bench.run("migrate", "lint", "-o", "csv")
        #expect(lint.exit == .differences)
        #expect(lint.output.contains("error,returning-model,V3,"), "\(lint.output)")
        #expect(lint.output.contains("hashModifier"))
        // The suggested commands are sufficient.
        for name in ["Models/V3.model.json", "Migrations/V2-V3.json"] {
            try FileManager.default.removeItem(atPath: "\(bench.folder)/\(name)")
        }
        try freeze("V3", model("int64", #", "hashModifier": "whole""#), after: "V2", "amount")
        let mended = bench.run("migrate", "lint")
        #expect(mended.exit == .success, "\(mended.output) \(mended.problems)")
    }

    @Test func `A model whose attributes of one type exchange their names is another version`() throws {
        func model(won: String = "", lost: String = "") -> String {
            """
            {"entities":{"Team":{"attributes":{"lost":{\(lost)"type":"int64"},\
            "won":{\(won)"type":"int64"}}}},"format":1}
            """
        }
        try bench.freeze("V1", model())
        #expect(bench.run("model", "freeze", "V2", "--model", "V1.json").exit == .refused)
        let exchanged = model(won: #""renamedFrom":"lost","#, lost: #""renamedFrom":"won","#)
        try bench.freeze("V2", exchanged, after: "V1")
        let lint = bench.run("migrate", "lint", "-o", "csv").output
        for name in ["won", "lost"] {
            #expect(lint.contains("note,rename-unphased,Team.\(name),"), "\(lint)")
        }
    }

    @Test func `A manifest that isn't text, or isn't a file, is bad data`() throws {
        try bench.makeProject(.sqlite)
        let path = bench.folder + "/Migrations/V1-V2.json"
        try Data([0x7B, 0x0A, 0xFF, 0x7D]).write(to: URL(fileURLWithPath: path))
        for words in [["lint"], ["plan"], ["status"]] {
            let outcome = bench.run(["migrate"] + words)
            #expect(outcome.exit == .badData, "\(words): \(outcome.problems)")
            #expect(outcome.problems.contains("V1-V2.json:2:1: The file contains bytes that aren't UTF-8"))
        }
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let outcome = bench.run("migrate", "lint")
        #expect(outcome.exit == .badData, "\(outcome.problems)")
        #expect(outcome.problems.contains("V1-V2.json:1:1: The file can't be read"))
    }
}
