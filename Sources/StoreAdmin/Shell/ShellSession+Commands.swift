import ContextCore

/// The commands that start with a backslash.
extension ShellSession {
    /// Runs a command with the text after it.
    func run(_ command: ShellWord, _ operand: String) throws {
        switch command {
        case .describe where operand.isEmpty: try run(InspectEntitiesCommand(), nil)
        case .describe: try run(InspectEntityCommand(), operand)
        case .indexes: try run(InspectIndexesCommand(), nil)
        case .relationships: try run(InspectRelationshipsCommand(), nil)
        case .tables: try run(InspectSizesCommand(), nil)
        case .count: try run(CountCommand(), operand)
        case .get: try run(GetCommand(), operand)
        case .explain: try run(ExplainCommand(), operand)
        case .advise: try run(AdviseCommand(), operand)
        case .sql where operand == "-":
            throw AdminError.usage("\\sql takes a statement; it doesn't read one from standard input.")
        case .sql: try run(SQLCommand(), operand)
        case .list: try run(ConfigShowCommand(), nil)
        case .edit: try edit(operand)
        case .connect: try connect(operand)
        case .expanded: try set(\.isExpanded, operand, "expanded display")
        case .timing: try set(\.showsTime, operand, "timing")
        case .pager: try set(\.usesPager, operand, "the pager")
        case .output: try redirect(operand)
        case .history: try showHistory(operand)
        case .syntax: try output.data(ShellWord.requestSyntax)
        case .help: try output.data(ShellWord.overview)
        case .quit: break
        }
    }

    private func set(
        _ setting: WritableKeyPath<Settings, Bool>, _ operand: String, _ name: String
    ) throws {
        switch operand.lowercased() {
        case "": settings[keyPath: setting].toggle()
        case "on": settings[keyPath: setting] = true
        case "off": settings[keyPath: setting] = false
        default:
            throw AdminError.usage(
                "“\(operand)” is neither on nor off.", hint: "Without an operand, the command changes it.")
        }
        call.output.info("\(name) is \(settings[keyPath: setting] ? "on" : "off")")
    }

    private func edit(_ operand: String) throws {
        guard let terminal else {
            throw AdminError.usage("\\e opens an editor, so it works only at a terminal.")
        }
        let editor = TextEditor(call.tool.environment.variables, terminal: terminal)
        guard let text = try editor.edited(operand.isEmpty ? lastInput : operand) else {
            return call.output.info("The text is unchanged, so nothing was run.")
        }
        if text.isEmpty { return }
        let word = String(text.prefix { !$0.isWhitespace })
        if ["\\e", "\\q"].contains(word) {
            throw AdminError.usage("\\e runs requests and other commands, but not \(word).")
        }
        call.output.info(text)
        try history?.add(text)
        try execute(text)
    }

    private func showHistory(_ path: String) throws {
        guard let history else {
            throw AdminError.usage("there is a history only at a terminal.")
        }
        let text = history.inputs.map { $0 + "\n" }.joined()
        if path.isEmpty { return try output.data(text) }
        let file = try FileSink(call.tool.environment.resolved(path))
        try file.write(text)
        try file.finish()
    }

    private func connect(_ operand: String) throws {
        if !operand.isEmpty {
            let words = operand.split(whereSeparator: \.isWhitespace).map(String.init)
            // A connection string, `host=db dbname=games`, consists of several words.
            let isString = words[0].contains("=") && !words[0].contains(":")
            guard isString || words.count <= 2 else {
                throw AdminError.usage("\\c takes a store and a tenant, but also got “\(words[2])”.")
            }
            try connect(to: isString ? operand : words[0], tenant: isString ? nil : words.dropFirst().first)
        }
        call.output.info(greeting)
    }

    /// The completion of words for the current store.
    var completion: ShellCompletion {
        let call = call
        return ShellCompletion(
            model: model,
            storeNames: {
                (try? call.tool.configuration(file: call.arguments["config"]).storeNames) ?? []
            },
            tenantNames: { name in
                // Tab must neither wait for a slow server nor run a command that asks for a password.
                var options = ["store": name]
                options["config"] = call.arguments["config"]
                return ToolSources(tool: call.tool, options: options).tenants()
            })
    }
}
