import ContextCore

/// A call of `model import --merge`, which brings the changes of a database into an edited model.
struct ModelMergeCall {
    static let mergeOption = OptionDeclaration.option(
        "merge", nil, "FILE", "An edited model, which gets the changes since --base.")
    static let baseOption = OptionDeclaration.option(
        "base", nil, "FILE",
        "The earlier import from which the edited model was made; it is replaced by this one.")

    private let call: CommandCall
    private let editedPath: String
    private let basePath: String

    /// Returns nil if the call merges nothing.
    init?(_ call: CommandCall) throws {
        let (merge, base) = (call.arguments["merge"], call.arguments["base"])
        if merge == nil && base == nil { return nil }
        guard let merge, let base else {
            throw AdminError.usage(
                "--merge and --base must be given together.",
                hint: "Name the edited model with --merge, and the import that it was made from with --base.")
        }
        for name in ["out", "versions"] where call.arguments.isGiven(name) {
            throw AdminError.usage(
                "--\(name) can't be combined with --merge, which updates both of its files.")
        }
        (self.call, editedPath, basePath) = (call, merge, base)
    }

    /// Merges a new import into the edited model, and replaces both files.
    func run(_ imported: ObjectModel) throws -> Report {
        let files = ModelSelection(call: call)
        let merge = ModelMerge(
            base: try document(files.file(basePath)), edited: try document(files.file(editedPath)),
            imported: try document(imported))
        let merged = try model(merge)
        // If only the first file is replaced, the same call finds the rest to be merged already.
        try replace(editedPath, with: merged)
        try replace(basePath, with: imported)
        var rows = RowSet(
            [.init("place"), .init("change"), .init("edited"), .init("imported")],
            emptyText: "the tables have no changes that the model lacks")
        for change in merge.changes {
            rows.append([
                .string(change.place), .string(change.outcome.rawValue), cell(change.edited),
                cell(change.imported),
            ])
        }
        var report = Report("model.import.merge", rows: rows)
        if merge.hasConflicts { report.exit = .differences }
        return report
    }

    private func document(_ model: ObjectModel) throws -> JSONValue {
        JSONValue(try JSONDocument(model.fileText).root)
    }

    /// Returns the merged model, which can be invalid although both sides are valid.
    private func model(_ merge: ModelMerge) throws -> ObjectModel {
        do {
            return try ObjectModel(fileText: merge.model.text(expanding: 0))
        } catch let error as ModelFileError {
            throw AdminError.badData(
                "the merged model is invalid, and no file was changed.\n"
                    + error.problems.map { "\(editedPath): \($0.message)" }.joined(separator: "\n"),
                hint: "Change \(editedPath), or name what it has renamed with --mapping, and merge again.")
        }
    }

    private func replace(_ path: String, with model: ObjectModel) throws {
        let sink = try FileSink(call.tool.environment.resolved(path), replaces: true)
        defer { sink.close() }
        try sink.write(model.fileText)
        try sink.finish()
    }

    private func cell(_ value: JSONValue?) -> RowSet.Cell {
        guard let value else { return .none }
        let limit = 60
        let text = value.text
        return RowSet.Cell(text: text.count > limit ? text.prefix(limit - 1) + "…" : text, json: value)
    }
}
