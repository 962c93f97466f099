import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

struct ToolTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    @Test func `Version prints the package and every library`() throws {
        let outcome = bench.run("version")
        #expect(outcome.output == "storectl \(StoreAdmin.packageVersion)\nSQLite 3.40.1\nlibpq 15.18\n")
        #expect(outcome.problems == "")
        #expect(outcome.exit == .success)
        let json = try bench.json("version")
        #expect(json["version"] == .string(StoreAdmin.packageVersion))
        #expect(json["schema"] == .string("storectl.version/1"))
    }

    @Test(arguments: [["help"], ["--help"], ["-h"]])
    func `Help lists every command`(words: [String]) {
        let outcome = bench.run(words)
        #expect(outcome.exit == .success)
        for word in Set(CommandTree.all.commands.map { $0.declaration.words[0] }) {
            #expect(outcome.output.contains("\n  \(word) "), "\(word)")
        }
    }

    @Test func `Help lists each command once, by purpose`() throws {
        let firstWords = Set(CommandTree.all.commands.map { $0.declaration.words[0] } + ["help"])
        let listed = CommandTree.all.sections.flatMap(\.words)
        #expect(listed.sorted() == firstWords.sorted())
        let outcome = bench.run()
        #expect(outcome.output == bench.run("help").output)
        let lines = outcome.output.split(separator: "\n")
        let titles = ["Start here:", "Look:", "Change:", "Migrate:", "Operate:", "Options of every command:"]
        let title = /[A-Z][a-z ]*:/
        #expect(lines.filter { $0.wholeMatch(of: title) != nil }.map(String.init) == titles)
        let start = try #require(lines.firstIndex(of: "Change:"))
        #expect(lines[start + 1] == "  data        Exports, imports, copies and compares objects.")
    }

    @Test(arguments: CommandTree.all.commands.map(\.declaration.words))
    func `Help of a command has its usage and its examples`(words: [String]) throws {
        let command = try #require(CommandTree.all.command(words)?.declaration)
        for call in [["help"] + words, words + ["--help"]] {
            let outcome = bench.run(call)
            #expect(outcome.exit == .success)
            #expect(outcome.output.hasPrefix(command.abstract + "\n\nUsage: storectl \(command.name)"))
            for example in command.examples {
                #expect(outcome.output.contains("  storectl \(example.words)\n"))
            }
        }
    }

    @Test func `Help of a group lists its commands`() {
        for words in [["help", "data"], ["data", "--help"]] {
            let outcome = bench.run(words)
            #expect(outcome.exit == .success)
            #expect(outcome.output.contains("\n  data copy "))
        }
    }

    @Test(
        arguments: [
            (["migrat"], "there is no command 'migrat'.", "Did you mean 'migrate'?"),
            (["statsu"], "there is no command 'statsu'.", "Did you mean 'status'?"),
            (["data", "exprot"], "there is no command 'data exprot'.", "Did you mean 'data export'?"),
            (["help", "statsu"], "there is no command 'statsu'.", "Did you mean 'status'?"),
            (["-q"], "no command given.", "Run 'storectl help' for the commands."),
            (["version", "now"], "'version' takes no arguments, but got “now”.", nil),
            (
                ["version", "-o", "csv"], "'version' doesn't support the output format csv.",
                "It supports table, json."
            ),
            (["query", "X", "--limit", "ten", "-s", "sqlite:none"], "There is no store at", nil),
        ] as [([String], String, String?)])
    func `Unknown words are reported with suggestions`(words: [String], message: String, hint: String?) {
        let outcome = bench.run(words)
        #expect(outcome.output == "")
        #expect(outcome.problems.contains(message), "\(outcome.problems)")
        if let hint { #expect(outcome.problems.hasSuffix("  \(hint)\n"), "\(outcome.problems)") }
    }

    @Test func `An error is one line of JSON in JSON output`() throws {
        for words in [
            ["statsu", "--json"], ["statsu", "-o", "json"], ["status", "--json", "-s", "sqlite:none"],
        ] {
            let outcome = bench.run(words)
            #expect(outcome.output == "")
            #expect(outcome.problems.count { $0 == "\n" } == 1)
            guard case .object(let members) = JSONValue(try JSONDocument(outcome.problems).root) else {
                return
            }
            #expect(members["schema"] == .string("storectl.error/1"))
            #expect(members["exit"] == .int(Int(outcome.exit.rawValue)))
        }
    }

    @Test(arguments: [
        (StoreError.Code.busy, ExitCode.temporary), (.connectionLost, .unavailable),
        (.configuration, .configuration),
        (.storeNotFound, .inputMissing), (.corrupt, .badData), (.diskFull, .inputOutput),
        (.readOnly, .permission),
        (.database, .failure), (.unsupportedRequest, .usage),
    ])
    func `A store's error has the exit code of its kind`(code: StoreError.Code, exit: ExitCode) {
        let error = AdminError(StoreError(code, "It went wrong.", remedy: "Mend it.", detail: "words"))
        #expect(error.exit == exit)
        #expect(error.isRetryable == (exit == .temporary || exit == .unavailable))
        let text = error.text(TextStyle(), isVerbose: false)
        #expect(text == "storectl: error \(error.code): It went wrong.\n  Mend it.\n")
        #expect(error.text(TextStyle(), isVerbose: true).contains("  words\n"))
    }

    @Test func `An unexpected error is an internal error, without a stack trace`() {
        struct Odd: Error {}
        let error = AdminError(Odd())
        #expect(error.exit == .internalFault)
        #expect(error.exit.rawValue == 70)
        #expect(error.hint?.contains("report") == true)
    }

    @Test func `Colors are used only on terminals`() {
        func has(_ isTerminal: Bool, _ variables: [String: String] = [:], wants: Bool = true) -> Bool {
            TextStyle.hasColor(isTerminal: isTerminal, wantsColor: wants, variables)
        }
        #expect(has(true) && !has(false) && !has(true, wants: false))
        #expect(!has(true, ["NO_COLOR": "1"]) && has(true, ["NO_COLOR": ""]))
        #expect(!has(true, ["TERM": "dumb"]) && has(false, ["FORCE_COLOR": "1"]))
    }
}
