import ContextCore
import Foundation

/// Runs the tool once: finds the command, parses its arguments, and prints its report or error.
struct CommandRun: Sendable {
    let tool: Tool
    let output: Output
    let tree: CommandTree
    let stopRequest: StopRequest

    init(
        tool: Tool, output: Output, tree: CommandTree = .all, stopRequest: StopRequest = .none
    ) {
        self.tool = tool
        self.output = output.naming(tool)
        self.tree = tree
        self.stopRequest = stopRequest
    }

    func run(_ words: [String]) -> ExitCode {
        // Usage errors repeat words of the command line, so all of them are searched for passwords.
        for word in words { CommandLineSecrets(word).record(in: tool.environment.secrets) }
        let isJSON = words.contains("--json") || Self.wantsJSON(words)
        let isVerbose = words.contains("--verbose") || words.contains("-v")
        do {
            return try perform(words)
        } catch  where Self.isBrokenPipe(error) {
            return .success
        } catch {
            let error = AdminError(error).redacted(tool.environment.secrets).naming(tool)
            output.message(
                isJSON
                    ? error.json
                    : error.text(output.messageStyle, isVerbose: isVerbose, program: tool.name))
            return error.exit
        }
    }

    private static func isBrokenPipe(_ error: any Error) -> Bool {
        guard let error = error as? CocoaError, error.code == .fileWriteUnknown else { return false }
        return (error.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == Int(EPIPE)
    }

    /// Whether errors are printed as JSON, decided without parsing so that it works for usage errors.
    private static func wantsJSON(_ words: [String]) -> Bool {
        zip(words, words.dropFirst()).contains { ["-o", "--output"].contains($0) && $1.hasPrefix("json") }
            || words.contains { $0.hasPrefix("--output=json") || $0.hasPrefix("-ojson") }
    }

    private func perform(_ words: [String]) throws -> ExitCode {
        switch try tree.find(words) {
        case .help(let words): return try printHelp(words)
        case .command(let command, let rest):
            let declaration = command.declaration
            let arguments = try ArgumentParser.parse(rest, for: declaration)
            if arguments.has("help") { return try printHelp(declaration.words) }
            let format = try format(arguments, declaration)
            var output = output
            output.isQuiet = arguments.has("quiet")
            let report = try command.run(
                CommandCall(
                    arguments: arguments, tool: tool, format: format, output: output, stopRequest: stopRequest
                ))
            do {
                try report.naming(tool).print(format, to: output, hiding: tool.environment.secrets)
            } catch  where Self.isBrokenPipe(error) {
                // The reader of the output, such as `head`, has exited. The exit code is still that of the report.
            }
            return report.exit
        }
    }

    private func printHelp(_ words: [String]) throws -> ExitCode {
        try output.data(HelpText(tree: tree, style: output.style, name: tool.name).text(for: words))
        return .success
    }

    private func format(_ arguments: ParsedArguments, _ command: CommandDeclaration) throws -> OutputFormat {
        let format = arguments.has("json") ? .json : arguments["output"].flatMap(OutputFormat.init) ?? .table
        if format == .table || command.formats.contains(format) { return format }
        let known = OutputFormat.allCases.filter { $0 == .table || command.formats.contains($0) }
        throw AdminError.usage(
            "'\(command.name)' doesn't support the output format \(format.rawValue).",
            hint: "It supports \(known.map(\.rawValue).joined(separator: ", ")).")
    }
}
