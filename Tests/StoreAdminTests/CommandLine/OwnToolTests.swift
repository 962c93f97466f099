import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// The name of an application's own tool in texts.
struct OwnToolTests {
    private let bench: AdminBench

    init() throws {
        bench = try AdminBench()
        bench.toolName = "shop-ctl"
    }

    /// Returns whether a text names the standard tool as a program to run.
    private func namesStock(_ text: String) -> Bool {
        ["'storectl ", "storectl: ", "storectl> ", " storectl <", "Usage: storectl"].contains(
            where: text.contains)
    }

    @Test(arguments: [["help"], ["help", "check"], ["data", "import", "--help"]])
    func `Help names the tool that prints it`(words: [String]) {
        let output = bench.run(words).output
        #expect(output.contains("Usage: shop-ctl "), "\(output)")
        #expect(!namesStock(output), "\(output)")
    }

    @Test func `Files of completions in the help have the tool's name`() {
        let output = bench.run("help", "completion").output
        #expect(output.contains("shop-ctl completion zsh > ~/.zfunc/_shop-ctl"), "\(output)")
        #expect(!output.contains("storectl"), "\(output)")
    }

    @Test(arguments: [["bash"], ["zsh"], ["fish"]])
    func `Completions name the tool that prints them`(words: [String]) {
        let output = bench.run(["completion"] + words).output
        #expect(output.contains("shop-ctl") && output.contains("_shop_ctl"))
        #expect(!output.contains("_storectl") && !output.contains("-c storectl"))
    }

    @Test(
        arguments: [
            ["nothing"], ["status", "-s", "sqlite:none.sqlite"], ["query", "-s", "sqlite:none.sqlite"],
        ])
    func `Errors begin with the tool's name`(words: [String]) {
        let problems = bench.run(words).problems
        #expect(problems.hasPrefix("shop-ctl: error "), "\(problems)")
        #expect(!namesStock(problems), "\(problems)")
    }

    @Test func `Status, doctor and check suggest commands of the tool`() throws {
        let url = try bench.makeShop()
        let raw = try RawStore(url, in: bench.folder)
        try raw.execute(["UPDATE person SET mentor_id = 99 WHERE _id = 2"])
        for words in [["status"], ["doctor", "--deep"], ["check", "--repair"], ["drift"]] {
            for format in [[], ["--json"]] as [[String]] {
                let outcome = bench.run(words + format)
                #expect(!namesStock(outcome.output + outcome.problems), "\(words): \(outcome.output)")
            }
        }
        #expect(bench.run("doctor", "--deep").output.contains("'shop-ctl check'"))
        #expect(bench.run("check", "--repair").output.contains("'shop-ctl backup create'"))
    }

    @Test func `The errors of the shell name the tool`() throws {
        _ = try bench.makeShop()
        bench.isTerminal = true
        bench.lines = ["Gane"]
        let problems = bench.run("shell").problems
        #expect(problems.contains("shop-ctl: error "), "\(problems)")
        #expect(!namesStock(problems), "\(problems)")
    }

    @Test func `Version prints the tool's name and version above those of the libraries`() throws {
        let rest = "ContextCore \(StoreAdmin.packageVersion)\nSQLite 3.40.1\nlibpq 15.18\n"
        #expect(bench.run("version").output == "shop-ctl\n" + rest)
        bench.toolVersion = "2.1"
        #expect(bench.run("version").output == "shop-ctl 2.1\n" + rest)
        let json = try bench.json("version")
        #expect(json["tool"] == .object(["name": .string("shop-ctl"), "version": .string("2.1")]))
        #expect(json["version"] == .string(StoreAdmin.packageVersion))
    }

    @Test func `The libraries of the backends are those of the program, without a list of its own`() {
        var tool = bench.tool
        tool.libraries = []
        #expect(
            tool.allLibraries.map(\.name) == tool.backends.map { $0.name == "SQLite" ? "SQLite" : "libpq" })
        #expect(tool.allLibraries.allSatisfy { $0.version.first?.isNumber == true })
    }

    @Test func `Errors that come from other modules suggest commands of the tool`() {
        let text =
            "Finish it with 'storectl migrate complete', or roll it back with 'storectl migrate rollback'."
        #expect(
            bench.tool.withProgramName(text)
                == "Finish it with 'shop-ctl migrate complete', or roll it back with 'shop-ctl migrate rollback'."
        )
    }

    @Test func `All sources quote commands in the same way, which the tool's name replaces`() throws {
        let sources = DocumentShapes.root.appending(path: "Sources")
        let names = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
        let files = names.filter { $0.hasSuffix(".swift") }
        #expect(files.count > 500)
        let otherQuotes = ["“storectl ", "`storectl "]
        for file in files {
            let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
            for line in text.split(separator: "\n") where line.contains("storectl ") {
                let isComment = line.trimmingSpaces.hasPrefix("//")
                #expect(isComment || !otherQuotes.contains { line.contains($0) }, "\(file): \(line)")
            }
        }
    }

    @Test func `The contents of a store are not changed`() throws {
        _ = try bench.makeShop()
        let written = bench.run(
            "sql", "--write", "UPDATE game SET title = '''storectl check''' WHERE _id = 1")
        try #require(written.exit == .success, "\(written.problems)")
        #expect(bench.run("query", "Game").output.contains("'storectl check'"))
        #expect(bench.run("get", "Game:1").output.contains("'storectl check'"))
    }
}
