import ContextCore

/// One run of the shell: the store, the settings, and the results so far.
///
/// State: the store with its model, the settings, the output file, the last input, and the exit code of the first input that failed; used
/// by one thread.
final class ShellSession {
    /// What the user can turn on and off.
    struct Settings {
        var showsTime = false
        var isExpanded = false
        var usesPager = true
    }

    /// The call of the shell, with the store that the user has chosen last and its resolved address.
    private(set) var call: CommandCall
    private(set) var store: AdministeredStore
    private(set) var model: ObjectModel
    var settings = Settings()
    /// The last input that is no command about the shell itself, which `\e` edits.
    private(set) var lastInput = ""
    /// The exit code of the first input that failed; nil if none has failed.
    private(set) var firstFailure: ExitCode?
    let history: ShellHistory?
    /// The terminal of the user; nil if there is no user.
    let terminal: ShellTerminal?
    private var sink: FileSink?
    private let pager: Pager?

    /// Opens the store that the call names.
    init(call: CommandCall, history: ShellHistory? = nil, terminal: ShellTerminal? = nil) throws {
        var call = call
        // A command that prints the password runs once, and not for each input.
        call.resolvedAddress = try call.address()
        self.call = call
        self.history = history
        self.terminal = terminal
        store = try call.store()
        model = try store.model()
        let variables = call.tool.environment.variables
        pager = Pager(variables, isInstalled: { ProgramSearch(variables).finds($0) })
    }

    var prompt: ShellPrompt {
        let reading = store.backend.administration?.readingOptions ?? [:]
        let isReadOnly = !reading.isEmpty && reading.allSatisfy { store.url.options[$0.key] == $0.value }
        let name = store.confirmation
        return ShellPrompt(
            name: name.isEmpty ? call.tool.name : name, isProduction: store.isProduction,
            isReadOnly: isReadOnly)
    }

    /// The sentence that a user sees first.
    var greeting: String {
        let entities = Quantity.text(model.layouts.count, "entity", "entities")
        return "\(store.title): \(entities). \\? lists the commands, \\h shows the syntax of requests."
    }

    /// Runs an input, and returns false if it ends the shell.
    func perform(_ input: String) -> Bool {
        let text = input.trimmingSpaces
        if text.isEmpty { return true }
        registerSecrets(in: text)
        reportFailure { try history?.add(input) }
        if text == "\\q" { return false }
        let start = ContinuousClock.now
        reportFailure { try execute(text) }
        if settings.showsTime {
            call.output.info("\(Quantity.milliseconds(ContinuousClock.now - start)) ms")
        }
        return true
    }

    /// Registers the passwords in the operand of a command, so that neither messages nor the history contain them.
    private func registerSecrets(in text: String) {
        guard text.hasPrefix("\\") else { return }
        let operand = text.drop { !$0.isWhitespace }.trimmingSpaces
        for part in [operand] + operand.split(whereSeparator: \.isWhitespace).map(String.init) {
            CommandLineSecrets(part).record(in: call.tool.environment.secrets)
        }
    }

    /// Closes the output file after the last input, so that it appears under its name.
    func end() {
        reportFailure { try redirect("") }
    }

    private func reportFailure(_ work: () throws -> Void) {
        do {
            try work()
        } catch is InterruptibleWork.Interruption {
            // The terminal has shown ^C at the beginning of the line.
            call.output.message("\ncancelled\n")
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

    /// Runs a request or a command.
    func execute(_ text: String) throws {
        guard text.hasPrefix("\\") else {
            lastInput = text
            return try run(QueryCommand(), text)
        }
        let word = text.prefix { !$0.isWhitespace }
        guard let command = ShellWord(rawValue: String(word.dropFirst())) else {
            throw Self.unknownCommandError(String(word))
        }
        if command.operand == .request || command.operand == .statement, command != .edit { lastInput = text }
        try run(command, text.dropFirst(word.count).trimmingSpaces)
    }

    private static func unknownCommandError(_ word: String) -> AdminError {
        let near = Spelling.nearest(to: String(word.dropFirst()), among: ShellWord.allCases.map(\.rawValue))
        return .usage(
            "there is no command \(word).",
            hint: near.map { "Did you mean \\\($0)?" } ?? "\\? lists the commands.")
    }
}

// MARK: - Running commands

extension ShellSession {
    /// Runs a command of the tool, in the format of the call if the command supports it.
    func run(_ command: any Command, _ operand: String?) throws {
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
        let output = output
        let inner = CommandCall(
            arguments: arguments, tool: call.tool, format: format, output: output,
            resolvedAddress: call.resolvedAddress)
        let report = try interruptible { try command.run(inner) }
        let shown = settings.isExpanded && format == .table ? report.expanded() : report
        try shown.naming(call.tool).print(format, to: output, hiding: call.tool.environment.secrets)
    }

    /// Runs work that the user can cancel, if there is a user.
    func interruptible<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) throws -> Value {
        guard let terminal else { return try work() }
        return try InterruptibleWork.run(terminal.interrupts, work)
    }

    /// The destination of results: the file of the last `\o`, or standard output, through the pager if it is needed.
    var output: Output {
        var output = call.output
        if let sink {
            return Output(data: { try sink.write($0) }, message: output.message, isQuiet: output.isQuiet)
        }
        guard let terminal, let size = terminal.size() else { return output }
        // The window may have another size than at the start.
        output.style.width = size.columns
        guard settings.usesPager, let pager else { return output }
        let plain = output
        return Output(
            data: { text in
                guard Pager.isNeeded(for: text, in: size),
                    terminal.page(text, pager.command) != ShellTerminal.commandNotFound
                else { return try plain.data(text) }
            }, message: plain.message, style: plain.style, messageStyle: plain.messageStyle,
            isQuiet: plain.isQuiet)
    }

    func redirect(_ path: String) throws {
        let finished = sink
        sink = nil
        try finished?.finish()
        if !path.isEmpty { sink = try FileSink(call.tool.environment.resolved(path)) }
    }

    /// Continues with another store; if it can't be opened, the shell stays at the current one.
    func connect(to name: String, tenant: String?) throws {
        var arguments = call.arguments.removing(["store", "tenant"])
        arguments.append("store", name)
        if let tenant { arguments.append("tenant", tenant) }
        var next = call
        next.arguments = arguments
        next.resolvedAddress = nil
        let unresolved = next
        let (address, store, model) = try interruptible {
            let address = try unresolved.address()
            let store = try address.store(tenant: tenant)
            return (address, store, try store.model())
        }
        next.resolvedAddress = address
        (call, self.store, self.model) = (next, store, model)
    }
}
