import ContextCore
import Foundation

/// Shows what other programs do with a store now.
struct ActivityCommand: Command {
    let declaration = CommandDeclaration(
        words: ["activity"],
        abstract: "Shows the sessions that use a store now, the locks they wait for, and what they delay.",
        discussion: """
            It works on any database of a supported backend, and changes nothing. It shows only what this account may see, and
            says what is hidden. On PostgreSQL a role with pg_read_all_stats sees everything. With --watch it repeats until it is
            interrupted; -o jsonl then prints a document per line.
            """,
        options: [
            .flag("statements", nil, "Shows the statements, with ? for values, and the slowest ones."),
            .flag("values", nil, "Shows the statements with the values that are part of them."),
            .option("watch", nil, "TIME", "Repeats it at this interval, such as 2s."),
            .option("limit", "n", "N", "With --watch: exits after N reports."),
        ],
        examples: [
            .init(words: "activity", help: "The sessions, locks and sizes of a store."),
            .init(words: "activity --statements", help: "Also what the sessions run."),
            .init(
                words: "activity --watch 1s --limit 2 -o jsonl", help: "Two documents, for a program."),
        ], formats: [.json, .jsonl])

    func run(_ call: CommandCall) throws -> Report {
        let interval = try call.arguments.duration("watch")
        let limit = try call.arguments.positiveCount("limit")
        if limit != nil, interval == nil { throw AdminError.usage("--limit needs --watch.") }
        if interval != nil, call.format == .json {
            throw AdminError.usage(
                "--watch prints several documents, and --json only one.", hint: "Use --output jsonl.")
        }
        let store = try call.store()
        let detail = Self.detail(call)
        return try store.monitor { monitor in
            guard let interval else {
                return try Self.report(store, try monitor.activity(detail), call)
            }
            for count in 1... {
                let report = try Self.report(store, try monitor.activity(detail), call)
                try report.print(call.format, to: call.output, hiding: call.tool.environment.secrets)
                if count == limit ?? .max || call.stopRequest.isRequested { break }
                Thread.sleep(forTimeInterval: interval / .seconds(1))
            }
            return .alreadyPrinted
        }
    }

    private static func detail(_ call: CommandCall) -> StatementDetail {
        if call.arguments.has("values") { return .withValues }
        return call.arguments.has("statements") ? .withoutValues : .none
    }

    private static func report(
        _ store: AdministeredStore, _ activity: StoreActivity, _ call: CommandCall
    ) throws -> Report {
        let document = ActivityDocument(store: store, activity: activity)
        if call.format == .jsonl {
            let value = document.value.redacted(call.tool.environment.secrets)
            try call.output.data(value.text + "\n")
            return .alreadyPrinted
        }
        return Report("activity", document.members) {
            ActivityText(store: store, activity: activity, style: $0).text
        }
    }
}
