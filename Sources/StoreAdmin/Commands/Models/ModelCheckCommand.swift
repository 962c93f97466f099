import ContextCore

/// Compares a model with the last frozen version.
struct ModelCheckCommand: Command {
    let declaration = CommandDeclaration(
        words: ["model", "check"], abstract: "Compares a model with the last frozen version.",
        discussion: "It exits with 2 if they differ. The model is the application's unless --model is given.",
        options: [ModelHistory.option, .option("model", nil, "MODEL", "A model file, 'store' or 'app'.")],
        examples: [.init(words: "model check", help: "Whether a change of the model is not frozen yet.")],
        exitCodes: ExitCode.storeCommands.union([.differences]))

    func run(_ call: CommandCall) throws -> Report {
        let history = ModelHistory(call)
        if try history.frozenNames().isEmpty {
            throw history.notFrozenError(hint: "Run 'storectl model freeze NAME'.")
        }
        let model = try ModelSelection(call: call).model(call.arguments["model"] ?? "app")
        let last = try history.frozenVersions().last
        let isSame = last.model.fingerprint == model.fingerprint
        let json: [String: JSONValue] = [
            "version": .string(last.name), "same": .bool(isSame), "fingerprint": .string(model.fingerprint),
        ]
        return Report("model.check", json, exit: isSame ? .success : .differences) { _ in
            isSame
                ? "The model is the same as \(last.name).\n"
                : "The model differs from \(last.name). Run 'storectl model freeze' and 'storectl migrate new'.\n"
        }
    }
}
