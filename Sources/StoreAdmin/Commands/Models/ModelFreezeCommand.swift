import ContextCore

/// Freezes a model as a version.
struct ModelFreezeCommand: Command {
    let declaration = CommandDeclaration(
        words: ["model", "freeze"],
        abstract: "Writes a model to the project's folder as a version, which never changes again.",
        discussion: """
            The model is the application's unless --model is given: a file, 'store' or 'app'. The command fails if the model is
            the same as the last version.
            """,
        operands: [.init(name: "NAME", help: "The version's name, such as V2.")],
        options: [ModelHistory.option, .option("model", nil, "MODEL", "A model file, 'store' or 'app'.")],
        examples: [
            .init(words: "model freeze V2", help: "With the application's own tool."),
            .init(words: "model freeze V1 --model store -s prod", help: "The model in production."),
        ], exitCodes: ExitCode.storeCommands.union([.refused, .cannotCreate]))

    func run(_ call: CommandCall) throws -> Report {
        let name = call.arguments.operands[0]
        guard !name.isEmpty, !name.contains(where: { "/- \t\n".contains($0) }) else {
            throw AdminError.usage(
                "a version's name must not be empty or contain a slash, a dash or a space.")
        }
        let history = ModelHistory(call)
        let named = call.arguments["model"]
        if named == nil, call.tool.model == nil {
            throw AdminError.usage(
                "this storectl contains no application's model.",
                hint: "Name the model with --model FILE or --model store.")
        }
        let model = try ModelSelection(call: call).model(named ?? "app")
        for other in try history.latestNames()
        where try history.frozen(other).fingerprint == model.fingerprint {
            throw AdminError.refused(
                "the model is already frozen as \(other).", hint: "Change the model before you freeze it.")
        }
        let path = history.modelPath(name)
        try history.write(model.fileText, to: path)
        let json: [String: JSONValue] = ["file": .string(path), "fingerprint": .string(model.fingerprint)]
        return Report("model.freeze", json) { _ in "\(path)\n" }
    }
}
