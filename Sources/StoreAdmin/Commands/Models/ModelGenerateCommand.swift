import ContextCore

/// Writes the Swift source of a model.
struct ModelGenerateCommand: Command {
    let declaration = CommandDeclaration(
        words: ["model", "generate"],
        abstract: "Writes Swift classes for a model, as a program declares it with @Entity.",
        discussion: """
            The model is that of --model: a file, 'store', 'store@1' or 'app'. Without it, the model is that of the store given by
            --store, or else the last frozen version. Each entity becomes a class in a file of its own, a composite a struct, and
            AppModel.swift lists the classes. The sources compile as they are, and the fingerprint of their model is that of the
            original, so that they open its stores.

            A model doesn't contain the code of transformers and the types of JSON values: the sources contain simple ones, to be
            replaced. Parts that Swift's macros can't express are comments in the source. All of these are listed at the end; the
            command exits with 2 if the fingerprint of the classes is another one.
            """,
        options: [
            .flag("swift", nil, "Writes Swift, the only language so far."),
            .option(
                "out", nil, "FOLDER",
                "The folder of the files; '-' is one file on standard output, the default."),
            ModelSelection.option, ModelHistory.option,
        ],
        examples: [
            .init(words: "model generate --swift --out Sources/Model", help: "For the last frozen version."),
            .init(
                words: "model generate --swift -s prod > Model.swift",
                help: "For the model of a store, in one file."),
            .init(
                words: "model generate --swift --model V1.model.json --out Imported",
                help: "For a file, such as one that 'model import' has made."),
        ], exitCodes: ExitCode.storeCommands.union([.differences, .cannotCreate]))

    func run(_ call: CommandCall) throws -> Report {
        guard call.arguments.has("swift") else {
            throw AdminError.usage(
                "the language of the sources is missing.", hint: "Add --swift, the only language so far.")
        }
        let model = try model(call)
        let source = ModelSource(model)
        let folder = call.arguments["out"].flatMap { $0 == "-" ? nil : $0 }
        let written = try folder.map { path in
            try SourceFolder(path: call.tool.environment.resolved(path)).write(source.files)
        }
        printRemarks(of: source, call)
        let files = source.files.map(\.name)
        let json: [String: JSONValue] = [
            "fingerprint": .string(model.fingerprint), "sameFingerprint": .bool(source.hasSameFingerprint),
            "files": .array(files.map(JSONValue.string)),
            "written": .array((written ?? []).map(JSONValue.string)),
            "source": folder == nil ? .string(source.text) : .null,
            "remarks": .array(source.remarks.map { .string($0.sentence) }),
        ]
        var report = Report("model.generate", json, exit: source.hasSameFingerprint ? .success : .differences)
        { _ in
            guard let folder, let written else { return source.text }
            return files.map { written.contains($0) ? "\(folder)/\($0)\n" : "\(folder)/\($0) (unchanged)\n" }
                .joined()
        }
        // A secret could be a part of a name in the source.
        report.isData = folder == nil
        return report
    }

    private func model(_ call: CommandCall) throws -> ObjectModel {
        if let word = call.arguments["model"] { return try ModelSelection(call: call).model(word) }
        if call.namesStore { return try call.store().model() }
        let history = ModelHistory(call)
        if try history.frozenNames().isEmpty {
            throw history.notFrozenError(hint: "Name a model with --model FILE, or a store with --store.")
        }
        return try history.frozenVersions().last.model
    }

    /// Prints what the classes lack, and what they need from the program.
    private func printRemarks(of source: ModelSource, _ call: CommandCall) {
        for remark in source.remarks { call.output.info(remark.sentence) }
        guard !source.hasSameFingerprint else { return }
        call.output.info(
            "The fingerprint of the classes differs from that of the model: they can't open its stores without a migration."
        )
    }
}
