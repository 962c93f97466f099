import ContextCore
import Foundation

/// Inserts, updates and deletes objects through the object graph, in one save.
struct ChangeCommand: Command {
    let declaration = CommandDeclaration(
        words: ["change"], abstract: "Inserts, updates and deletes objects in one save, with all rules.",
        discussion: """
            The file is a JSON document such as {"changes": [{"delete": "Game:2"}]}. Its changes are saved together or not at all, like
            the save of a program: validation rules, delete rules, inverses, derived values and the history hold. All failures are
            printed at once.

            A change is {"update": "Player:12", "version": 3, "set": {"score": 5, "game": "g"}}, or
            {"insert": "Game", "as": "g", "set": {"title": "Mill"}}, or {"delete": "Game:2", "version": 1}. The member “set” gives new values
            in the form of 'get': null clears one, place.city sets a part of a composite, and a relationship takes an object, a key, or the
            name that an insertion has in “as”. A to-many relationship takes an array, which replaces its members; “add” and “remove” change
            some of them. Changes are applied in their order, deletions last.

            If an object no longer has the version that the change names, nothing is saved, the exit code is 1, and the command shows each
            property's value that you saw (“base”, if the change gives it), yours and the store's. Without a version, any will do.

            With --dry-run the command saves in a transaction that it rolls back, and reports what a save would do, also to objects that
            delete rules delete, with the cause, and to references that they clear.
            """,
        operands: [
            .init(
                name: "FILE", help: "The changes, or - for standard input, which is the default.",
                isOptional: true)
        ],
        options: [
            .flag("dry-run", nil, "Validates, and shows what a save would do without saving."),
            .option(
                "author", nil, "NAME",
                "The author of the save in the history. The default is \(ChangeRun.defaultAuthor)."),
            Confirmation.option,
        ],
        examples: [
            .init(words: "change changes.json --dry-run", help: "Shows what a save would do."),
            .init(words: "change changes.json --author ann", help: "Saves, with an author in the history."),
            .init(words: "change changes.json -s prod --confirm prod", help: "Changes a production store."),
        ],
        exitCodes: ExitCode.storeCommands.union([.failure, .refused]))

    func run(_ call: CommandCall) throws -> Report {
        let store = try call.store()
        let path = call.arguments.operands.first ?? "-"
        return try ChangeRun.report(
            of: try contents(path, call), named: path == "-" ? "standard input" : path, on: store, call.tool,
            author: call.arguments["author"] ?? ChangeRun.defaultAuthor,
            isDry: call.arguments.has("dry-run")
        ) { try Confirmation.check(call, store) }
    }

    private func contents(_ path: String, _ call: CommandCall) throws -> Data {
        let data =
            path == "-"
            ? try FileHandle.standardInput.readToEnd() ?? Data()
            : FileManager.default.contents(atPath: call.tool.environment.resolved(path))
        if let data { return data }
        throw AdminError(
            code: "SC3011", exit: .inputMissing, message: "the file \(path) can't be read.",
            hint: "Check the path, and your permission to read the file.")
    }
}
