import Foundation
import Testing

@testable import StoreAdmin

struct CompletionTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    @Test func `Only three shells are supported`() {
        let outcome = bench.run("completion", "fsh")
        #expect(outcome.exit == .usage)
        #expect(outcome.problems.hasSuffix("Did you mean fish?\n"))
    }

    /// Runs bash with the completions, and returns its suggestions.
    private func offers(_ words: [String]) throws -> [String] {
        let script = bench.run("completion", "bash").output
        let path = try bench.write(
            script + """
                COMP_WORDS=(storectl \(words.map { "'\($0)'" }.joined(separator: " ")))
                COMP_CWORD=\(words.count)
                _storectl
                printf '%s\\n' "${COMPREPLY[@]}"
                """, to: "try.bash")
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = [path]
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func `Bash completes commands, subcommands, options and their values`() throws {
        #expect(try offers(["sta"]) == ["status"])
        #expect(try offers(["data", "c"]) == ["copy", "checksum"])
        #expect(try offers(["-s", "dev", "query", "--ord"]) == ["--order"])
        #expect(try offers(["query", "-o", "js"]) == ["json", "jsonl"])
        #expect(try offers(["completion", "z"]) == ["zsh"])
    }

    @Test(arguments: ["zsh", "fish"])
    func `The others contain every command and option`(shell: String) {
        let outcome = bench.run("completion", shell)
        #expect(outcome.exit == .success)
        for command in CommandTree.all.commands {
            #expect(outcome.output.contains(command.declaration.words.last ?? ""))
            for option in command.declaration.options { #expect(outcome.output.contains(option.name)) }
        }
        #expect(outcome.output.hasPrefix(shell == "zsh" ? "#compdef storectl\n" : "# Completions"))
    }

    @Test func `Subcommands of one group are not offered in another`() throws {
        let lines = bench.run("completion", "fish").output.split(separator: "\n")
        // `history` is a group, and a subcommand of `migrate`; `check` is a command, and a subcommand of `model`.
        for (line, after) in [("-a tail ", "history"), ("-a prune ", "history"), ("-l repair ", "check")] {
            let found = lines.filter { $0.contains(line) && !$0.contains("backup") }
            #expect(!found.isEmpty)
            #expect(found.allSatisfy { $0.contains("'__storectl_after \"\(after)\"'") }, "\(found)")
        }
        #expect(lines.contains { $0.contains("'__storectl_after \"\"' -a migrate ") })
        let known = try #require(lines.first { $0.contains("set -l known ") })
        #expect(known.contains(" 'migrate history'") && known.contains(" 'history tail'"))
        #expect(try offers(["migrate", "history", ""]).allSatisfy { $0.hasPrefix("--") })
        #expect(try offers(["model", "check", "--on"]) == [])
    }

    @Test(arguments: ["zsh", "fish"]) func `The others are valid for their shells, if these are installed`(
        shell: String
    ) throws {
        guard
            let path = ["/usr/bin/\(shell)", "/bin/\(shell)"].first(
                where: FileManager.default.isExecutableFile)
        else {
            return
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["-n", try bench.write(bench.run("completion", shell).output, to: shell)]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }
}
