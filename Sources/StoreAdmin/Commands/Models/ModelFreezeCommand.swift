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
        options: [ModelHistory.option, ModelSelection.option],
        examples: [
            .init(words: "model freeze V2", help: "With the application's own tool."),
            .init(words: "model freeze V1 --model store -s prod", help: "The model in production."),
        ], exitCodes: ExitCode.storeCommands.union([.refused, .cannotCreate]))

    func run(_ call: CommandCall) throws -> Report {
        let name = call.arguments.operands[0]
        try ModelHistory.checkVersionName(name)
        let history = ModelHistory(call)
        let model = try ModelSelection(call: call).modelToFreeze()
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
