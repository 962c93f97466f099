import Foundation
import Testing

@testable import StoreAdmin

/// The shell reads lines of a terminal, a file, or a script of key presses.
struct ShellLoopTests {
    /// A reader that returns prepared lines, and records the prompts.
    private final class ScriptedReader: ShellReader {
        private var lines: [ShellLine]
        private(set) var prompts: [String] = []
        private(set) var recalled: [String] = []
        /// What Tab does after each line's first characters.
        private(set) var completions: [CompletionAction] = []

        init(_ lines: ShellLine...) { self.lines = lines }

        func next(prompt: String, complete: @escaping (String) -> CompletionAction) -> ShellLine {
            prompts.append(prompt)
            completions.append(complete("titl"))
            return lines.isEmpty ? .end : lines.removeFirst()
        }

        func recall(_ input: String) { recalled.append(input) }
    }

    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    @Test func `Ctrl-C discards the unfinished input`() throws {
        _ = try bench.makeShop()
        bench.variables["STORECTL_URL"] = nil
        let file = try #require(
            FileManager.default.contentsOfDirectory(atPath: bench.folder).first { $0.hasSuffix(".sqlite") })
        try bench.write(#"{"stores": {"shop": "sqlite:\#(file)"}}"#, to: "storectl.json")
        let tool = bench.tool
        let history = ShellHistory(tool.environment)
        try history.add("\\count Player")
        let output = Output(data: { _ in }, message: { _ in })
        let session = try ShellSession(
            call: CommandCall(arguments: ParsedArguments(), tool: tool, format: .table, output: output),
            history: history)
        let reader = ScriptedReader(
            .text("Game where ("), .text("title == \"Go"), .interrupted, .text("\\count Game"), .interrupted)
        ShellLoop(session: session, reader: reader, history: history, output: output).run()
        #expect(
            reader.prompts == ["shop=> ", "shop(> ", "shop\"> ", "shop=> ", "shop=> ", "shop=> "])
        #expect(reader.recalled == ["\\count Player", "\\count Game"])
        #expect(session.firstFailure == nil)
        // Completion knows the lines before: only within the bracket the word is a property.
        #expect(reader.completions[0] == .nothing)
        #expect(reader.completions[1] == .replace(count: 4, text: "title "))
    }

    @Test func `A request in a file may have several lines`() throws {
        _ = try bench.makeShop()
        bench.lines = [
            "Game where (", "  title == \"Go\"", ")", "\\sql SELECT 2 \\", "AS two", "\\count Game where (",
        ]
        let outcome = bench.run("shell", "-o", "csv")
        #expect(
            outcome.output.contains("12.5,2026-08-01T12:00:00.250000Z,Go\r\ntwo\r\n2\r\n"),
            "\(outcome.output)")
        // The last one is incomplete, so it fails.
        #expect(outcome.exit == .usage)
    }
}
