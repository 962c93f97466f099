import ContextCore

/// One run of the shell.
///
/// State: the output file, whether timing is on, and the exit code of the first line that failed; used by one thread.
final class ShellSession {
    private let call: CommandCall
    private var sink: FileSink?
    private var showsTime = false
    /// The exit code of the first line that failed; nil if none has failed.
    private(set) var firstFailure: ExitCode?

    init(call: CommandCall) {
        self.call = call
    }

    /// Runs a line, and returns false if it ends the shell.
    func perform(_ line: String) -> Bool {
        let line = line.trimmingSpaces
        if line.isEmpty { return true }
        if line == "\\q" { return false }
        let start = ContinuousClock.now
        reportFailure { try execute(line) }
        if showsTime { call.output.info("\(Quantity.milliseconds(ContinuousClock.now - start)) ms") }
        return true
    }

    /// Closes the output file after the last line, so that it appears under its name.
    func end() {
        reportFailure { try redirect("") }
    }

    private func reportFailure(_ work: () throws -> Void) {
        do {
            try work()
        } catch {
            let error = AdminError(error).redacted(call.tool.environment.secrets).naming(call.tool)
            firstFailure = firstFailure ?? error.exit
            let isJSON = call.format == .json || call.format == .jsonl
            call.output.message(
                isJSON
                    ? error.json
                    : error.text(
                        call.output.messageStyle, isVerbose: call.arguments.has("verbose"),
                        program: call.tool.name))
        }
    }

    private func execute(_ line: String) throws {
        guard line.hasPrefix("\\") else { return try run(QueryCommand(), line) }
        let word = line.prefix { !$0.isWhitespace }
        let rest = line.dropFirst(word.count).trimmingSpaces
        guard let meaning = ShellWord(rawValue: String(word.dropFirst())) else {
            throw unknownCommandError(String(word))
        }
        switch meaning {
        case .help: try output.data(ShellWord.overview)
        case .describe where rest.isEmpty: try run(InspectEntitiesCommand(), nil)
        case .describe: try run(InspectEntityCommand(), rest)
        case .entity: try run(InspectEntityCommand(), rest)
        case .sql: try run(SQLCommand(), rest)
        case .explain: try run(ExplainCommand(), rest)
        case .advise: try run(AdviseCommand(), rest)
        case .count: try run(CountCommand(), rest)
        case .get: try run(GetCommand(), rest)
        case .timing:
            showsTime.toggle()
            call.output.info("timing is \(showsTime ? "on" : "off")")
        case .output: try redirect(rest)
        case .quit: break
        }
    }

    /// Runs a command for one line, in the format of the call if the command supports it.
    private func run(_ command: any Command, _ operand: String?) throws {
        let declaration = command.declaration
        if operand?.isEmpty == true, let wanted = declaration.operands.first {
            throw AdminError.usage(
                "\(wanted.name) is missing: \(wanted.help)", hint: "\\? lists the commands.")
        }
        var arguments = ParsedArguments()
        arguments.operands = operand.map { [$0] } ?? []
        for name in ["store", "tenant", "config"] {
            if let value = call.arguments[name] { arguments.append(name, value) }
        }
        let format = declaration.formats.contains(call.format) ? call.format : .table
        let report = try command.run(
            CommandCall(arguments: arguments, tool: call.tool, format: format, output: output))
        try report.naming(call.tool).print(format, to: output, hiding: call.tool.environment.secrets)
    }

    /// The destination of results: standard output, or the file of the last `\o`.
    private var output: Output {
        guard let sink else { return call.output }
        return Output(
            data: { try sink.write($0) }, message: call.output.message, isQuiet: call.output.isQuiet)
    }

    private func redirect(_ path: String) throws {
        let finished = sink
        sink = nil
        try finished?.finish()
        if !path.isEmpty { sink = try FileSink(call.tool.environment.resolved(path)) }
    }

    private func unknownCommandError(_ word: String) -> AdminError {
        let near = Spelling.nearest(to: String(word.dropFirst()), among: ShellWord.allCases.map(\.rawValue))
        return .usage(
            "there is no command \(word).",
            hint: near.map { "Did you mean \\\($0)?" } ?? "\\? lists the commands.")
    }
}

/// The commands of the shell, which start with a backslash.
enum ShellWord: String, CaseIterable {
    case describe = "d"
    case entity = "e"
    case count
    case get
    case explain
    case advise
    case sql
    case timing
    case output = "o"
    case help = "?"
    case quit = "q"

    private var meaning: (operand: String, help: String) {
        switch self {
        case .describe: ("", "lists the entities")
        case .entity: (" ENTITY", "shows an entity's properties")
        case .count: (" REQUEST", "counts objects")
        case .get: (" ENTITY:ID", "shows one object")
        case .explain: (" REQUEST", "shows a request's SQL and the database's query plan")
        case .advise: (" REQUEST", "recommends indexes for a request")
        case .sql: (" STATEMENT", "runs a read-only SQL statement")
        case .timing: ("", "turns the duration of each line on or off")
        case .output:
            (
                " FILE",
                "writes results to a new file, which appears when it is closed; without FILE, to standard output"
            )
        case .help: ("", "prints this help")
        case .quit: ("", "exits")
        }
    }

    /// The help text, with one line per command.
    static var overview: String {
        let entries = allCases.map { ("\\\($0.rawValue)\($0.meaning.operand)", $0.meaning.help) }
        let width = entries.map(\.0.count).max() ?? 0
        return "REQUEST".padded(to: width) + "  fetches objects, as 'query' does\n"
            + entries.map { "\($0.0.padded(to: width))  \($0.1)\n" }.joined()
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
