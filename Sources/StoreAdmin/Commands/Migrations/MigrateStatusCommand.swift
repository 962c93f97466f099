import ContextCore

/// Shows the version of a store, and pending migrations.
struct MigrateStatusCommand: Command {
    let declaration = CommandDeclaration(
        words: ["migrate", "status"], abstract: "Shows the version of a store, and its pending migrations.",
        discussion: """
            The state is one of those in the line, in brackets. While it is 'waiting', programs of both versions can use the
            store. With --check the command exits with 2 if migrations are pending or unfinished, or if the application's model
            is not frozen.
            """,
        options: [
            ModelHistory.option,
            .flag("check", nil, "Exits with 2 if the store needs a migration, or the model a new version."),
        ],
        examples: [.init(words: "migrate status -s prod --check", help: "Before you start an application.")],
        exitCodes: ExitCode.storeCommands.union([.differences]))

    func run(_ call: CommandCall) throws -> Report {
        let migration = try MigrationCall(call)
        let state = try migration.state()
        let stored = state.models.last
        let version = migration.versions.versions.last { $0.model.fingerprint == stored?.fingerprint }?.name
        let pending =
            try state.run.map { [$0.transition] } ?? migration.transitions(from: state).map(\.name)
        let problem = migration.unfrozenModelError
        let json: [String: JSONValue] = [
            "store": migration.store.json, "version": version.map(JSONValue.string) ?? .null,
            "fingerprint": stored.map { .string($0.fingerprint) } ?? .null,
            "pending": .array(pending.map(JSONValue.string)),
            "run": state.run?.json ?? .null, "problem": problem.map { .string($0.message) } ?? .null,
        ]
        let isOff = call.arguments.has("check") && (!pending.isEmpty || problem != nil)
        let known = version ?? state.versions.first { $0.value == stored?.fingerprint }?.key
        let title = version ?? known.map { "\($0), which this project doesn't have" } ?? "unknown"
        let (tool, name) = (call.tool, call.tool.name)
        return Report("migrate.status", json, exit: isOff ? .differences : .success) { _ in
            let line = MigrationStateLine(state.run, isPending: !pending.isEmpty)
            var text = "version  \(title)\nmodel    \(stored?.fingerprint ?? "none")\nstate    \(line.text)\n"
            if let run = state.run {
                text += "started  \(run.transition), \(run.progressText)\n"
                text += "next     \(name) migrate \(run.nextCommand)\n"
            } else if pending.isEmpty {
                text += "pending  nothing\n"
            } else {
                text += "pending  \(pending.joined(separator: ", "))\nnext     \(name) migrate plan\n"
            }
            if let problem {
                text += "problem  \(problem.message)\n"
                text += problem.hint.map { "         \(tool.withProgramName($0))\n" } ?? ""
            }
            return text
        }
    }
}
