import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// The completion scripts in the shells that are installed; continuous integration has bash.
struct CompletionScriptTests {
    private let bench: AdminBench

    init() throws {
        bench = try AdminBench()
        // A machine under load may need more than the second that a user waits.
        bench.variables["STORECTL_COMPLETION_TIMEOUT"] = "60s"
    }

    @Test func `Only three shells are supported`() {
        let outcome = bench.run("completion", "fsh")
        #expect(outcome.exit == .usage)
        #expect(outcome.problems.hasSuffix("Did you mean fish?\n"))
    }

    /// Creates two stores in a configuration, one of them with objects.
    private func prepare() throws {
        let url = try bench.makeShop()
        bench.variables["STORECTL_URL"] = nil
        try bench.write(
            #"{"default": "shop", "stores": {"shop": "\#(url)", "shelf": "sqlite:shelf.sqlite", "prod": "sqlite:prod.sqlite"}}"#,
            to: "storectl.json")
        try bench.write("", to: "games.json")
    }

    private func expectCompletions(_ shell: CompletingShell) throws {
        try prepare()
        let found = { (words: [String]) in
            try Set(shell.completions(of: ["storectl"] + words, in: bench))
        }
        #expect(try found(["sta"]) == ["status"])
        #expect(try found(["data", "c"]) == ["copy", "checksum"])
        #expect(try found(["-s", "dev", "query", "--ord"]) == ["--order"])
        #expect(try found(["query", "-o", "js"]) == ["json", "jsonl"])
        #expect(try found(["completion", "z"]) == ["zsh"])
        #expect(try found(["status", "-s", "sh"]) == ["shelf", "shop"])
        #expect(try found(["query", "Pl"]) == ["Player"])
        #expect(try found(["query", "Player", "-f", "name,sc"]) == ["name,score"])
        #expect(try found(["db", "drop", "--confirm", "s"]) == [])
        #expect(try found(["status", "--config", "games"]) == ["games.json"])
    }

    @Test func `Bash completes commands, options, and names of stores and their models`() throws {
        try expectCompletions(.bash)
    }

    @Test(.enabled(if: CompletingShell.zsh.isInstalled, "zsh is not installed"))
    func `Zsh completes the same`() throws {
        try expectCompletions(.zsh)
    }

    @Test(.enabled(if: CompletingShell.fish.isInstalled, "fish is not installed"))
    func `Fish completes the same`() throws {
        try expectCompletions(.fish)
    }

    @Test(
        arguments: [
            // Bash replaces only what follows the last colon or equals sign.
            (["--store=sh"], ["--store", "=", "sh"], ["shelf", "shop"]),
            (["query", "--store="], ["query", "--store", "="], ["prod", "shelf", "shop"]),
            (["get", "Player:"], ["get", "Player", ":"], []), (["get", "Pl"], ["get", "Pl"], ["Player:"]),
            (["query", "'Player where sc"], ["query", "'Player where sc"], ["Player where score"]),
            (
                ["query", "'Player where score > 1'", "-f", "na"],
                ["query", "'Player where score > 1'", "-f", "na"], ["name"]
            ),
            (["query", "a\\ b"], ["query", "a\\ b"], []),
        ] as [([String], [String], [String])])
    func `Bash joins the words that it splits, and understands quotes`(
        line: [String], pieces: [String], expected: [String]
    ) throws {
        try prepare()
        let found = try CompletingShell.bash.completions(
            of: ["storectl"] + line, pieces: ["storectl"] + pieces, in: bench)
        #expect(found.filter { !$0.isEmpty }.sorted() == expected)
    }

    @Test(arguments: ["", "\"", "'"])
    func `Bash inserts names with special characters as one word that runs nothing`(quote: String) throws {
        let names = ["s$(>ran)", "s`>ran`", "s\\$x", "s\"a", "s;a", "s!a", "s'a", "s{a,b}", "s#a", "s~[a]^"]
        let stores = names.map {
            JSONValue.string($0).text + ": \"sqlite:x.sqlite\""
        }
        try bench.write("{\"stores\": {\(stores.joined(separator: ", "))}}", to: "storectl.json")
        let valid = bench.run("config", "show")
        try #require(valid.exit == .success, "\(valid.problems)")
        let found = try CompletingShell.bash.completions(
            of: ["storectl", "status", "-s", quote + "s"], in: bench)
        let left = quote == "\"" ? "s!a" : quote == "'" ? "s'a" : nil
        #expect(found.count == names.count - (left == nil ? 0 : 1), "\(found)")
        // Evaluated as the user would run them.
        let lines = found.map { "printf '%s\\n' \(quote)\($0)\(quote)\n" }
        let words = try CompletingShell.bash.run(lines.joined(), in: bench)
        #expect(Set(words) == Set(names).subtracting([left].compactMap(\.self)))
        #expect(!FileManager.default.fileExists(atPath: bench.folder + "/ran"))
    }

    @Test(arguments: CompletingShell.allCases)
    func `A script names its tool, in names that the shell accepts`(shell: CompletingShell) throws {
        bench.toolName = "shop-ctl 2"
        let script = bench.run("completion", shell.rawValue).output
        #expect(
            script.contains("'shop-ctl 2'") && script.contains("_shop_ctl_2") && !script.contains("storectl"))
        guard shell.isInstalled else { return }
        try bench.write(script, to: "script")
        _ = try shell.run(". ./script || true\n", options: shell == .bash ? ["-u"] : [], in: bench)
    }
}
