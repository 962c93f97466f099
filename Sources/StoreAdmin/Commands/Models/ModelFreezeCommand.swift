import ContextCore

/// Keeps a model as it is, as a version.
struct ModelFreezeCommand: Command {
    let declaration = CommandDeclaration(
        words: ["model", "freeze"],
        abstract: "Writes a model down as a version, which never changes any more.",
        discussion: """
            The model is the application's, or --model says which: a file, 'store' or 'app'. One that is the last version
            already is refused.
            """,
        operands: [.init(name: "NAME", help: "What the version is called: V2.")],
        options: [ModelHistory.option, .option("model", nil, "MODEL", "A model file, 'store' or 'app'.")],
        examples: [
            .init(words: "model freeze V2", help: "With the application's own storectl."),
            .init(words: "model freeze V1 --model store -s prod", help: "What is in force in production."),
        ], exits: ExitCode.ofStores.union([.refused, .cannotCreate]))

    func run(_ call: CommandCall) throws -> Report {
        let name = call.arguments.operands[0]
        guard !name.isEmpty, !name.contains(where: { "/- \t\n".contains($0) }) else {
            throw AdminError.usage("a version's name has no slash, dash or space, and isn't empty.")
        }
        let history = ModelHistory(call)
        let named = call.arguments["model"]
        if named == nil, call.tool.model == nil {
            throw AdminError.usage(
                "this storectl belongs to no application.",
                hint: "Name the model: --model FILE, or --model store.")
        }
        let model = try ModelSelection(call: call).model(named ?? "app")
        for other in try history.latestNames()
        where try history.frozen(other).fingerprint == model.fingerprint {
            throw AdminError.refused(
                "the model is frozen as \(other) already.", hint: "Nothing has changed since.")
        }
        let path = history.modelPath(name)
        try history.write(model.fileText, to: path)
        let json: [String: JSONValue] = ["file": .string(path), "fingerprint": .string(model.fingerprint)]
        return Report("model.freeze", json) { _ in "\(path)\n" }
    }
}
