import ContextCore
import Testing

@testable import StoreAdmin

/// Options are accepted anywhere: before the words of a command, between them, and after them.
struct CommandTreeTests {
    private func found(_ words: [String]) throws -> (command: String, rest: [String])? {
        guard case .command(let command, let rest) = try CommandTree.all.find(words) else { return nil }
        return (command.declaration.name, rest)
    }

    @Test(
        arguments: [
            (["-s", "prod", "status"], "status", ["-s", "prod"]),
            (["--store", "prod", "status", "--check"], "status", ["--store", "prod", "--check"]),
            (["--store=prod", "status"], "status", ["--store=prod"]),
            (["-sprod", "status"], "status", ["-sprod"]),
            (["-qs", "prod", "status"], "status", ["-qs", "prod"]),
            (["-q", "status"], "status", ["-q"]),
            (
                ["--config", "a.json", "-o", "json", "status"], "status",
                ["--config", "a.json", "-o", "json"]
            ),
            (["migrate", "-s", "prod", "plan"], "migrate plan", ["-s", "prod"]),
            (
                ["-s", "status", "migrate", "--to", "V2", "apply"], "migrate apply",
                ["-s", "status", "--to", "V2"]
            ),
            (["data", "--json", "copy", "a", "b"], "data copy", ["--json", "a", "b"]),
            (["query", "Game", "-n", "3"], "query", ["Game", "-n", "3"]),
            (["sql", "--", "-s"], "sql", ["--", "-s"]),
            (["data", "import", "-"], "data import", ["-"]),
            (["--", "status"], "status", ["--"]),
            (["-s", "prod", "--", "migrate", "plan"], "migrate plan", ["-s", "prod", "--"]),
            (["--", "get", "Game:1", "-h"], "get", ["--", "Game:1", "-h"]),
        ] as [([String], String, [String])])
    func `A command is found among its options`(words: [String], name: String, rest: [String]) throws {
        let found = try found(words)
        #expect(found?.command == name)
        #expect(found?.rest == rest)
    }

    @Test(
        arguments: [
            (["-s", "prod", "statsu"], "there is no command 'statsu'."),
            (["-s", "prod", "migrate", "-q"], "'migrate' needs a subcommand: "),
            (["migrate", "-s", "prod", "aply"], "there is no command 'migrate aply'."),
        ] as [([String], String)])
    func `Unknown words are reported without the options`(words: [String], message: String) {
        let error = #expect(throws: AdminError.self) { try CommandTree.all.find(words) }
        #expect(error?.exit == .usage)
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        ["-s", "prod"], ["-s", "status", "--check"], ["-q"], ["--"], ["-s", "prod", "--"],
    ])
    func `Options without a command are rejected`(words: [String]) throws {
        let outcome = try AdminBench().run(words)
        #expect(outcome.exit == .usage)
        #expect(outcome.output == "")
        #expect(outcome.problems.contains("no command given."))
    }

    @Test func `A call without words prints the help`() throws {
        let outcome = try AdminBench().run()
        #expect(outcome.exit == .success)
        #expect(outcome.output.contains("status"))
        #expect(outcome.problems == "")
    }

    @Test func `The version is printed for an option too`() throws {
        let bench = try AdminBench()
        let outcome = bench.run("--version")
        #expect(outcome.exit == .success)
        #expect(outcome.output == bench.run("version").output)
        #expect(bench.run("--version", "--json").output == bench.run("version", "--json").output)
    }

    @Test func `Help is printed on request`() throws {
        for words in [["--help"], ["-h", "status"], ["-s", "prod", "-h"], ["data", "--help"]] {
            guard case .help = try CommandTree.all.find(words) else {
                Issue.record("\(words)")
                continue
            }
        }
    }

    @Test func `Options before the command have the same effect as after it`() throws {
        let bench = try AdminBench()
        let url = try bench.makeShop()
        let after = bench.run("count", "Game", "-s", url)
        #expect(after.exit == .success)
        for words in [["-s", url, "count", "Game"], ["--store=\(url)", "-q", "count", "Game"]] {
            #expect(bench.run(words).output == after.output)
        }
    }
}
