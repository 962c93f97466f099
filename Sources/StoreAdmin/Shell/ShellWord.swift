/// The commands of the shell, which start with a backslash.
///
/// Those that psql also has do the same there.
enum ShellWord: String, CaseIterable {
    case describe = "d"
    case indexes = "di"
    case relationships = "dr"
    case tables = "dt"
    case count
    case get
    case explain
    case advise
    case sql
    case edit = "e"
    case connect = "c"
    case list = "l"
    case expanded = "x"
    case timing
    case pager
    case output = "o"
    case history = "s"
    case syntax = "h"
    case help = "?"
    case quit = "q"

    /// What follows a command, which decides about its completion and whether it continues on the next line.
    enum Operand {
        case none, entity, object, request, statement, store, file, toggle
    }

    var operand: Operand {
        switch self {
        case .describe: .entity
        case .get: .object
        case .count, .explain, .advise, .edit: .request
        case .sql: .statement
        case .connect: .store
        case .output, .history: .file
        case .expanded, .timing, .pager: .toggle
        case .indexes, .relationships, .tables, .list, .syntax, .help, .quit: .none
        }
    }

    private var meaning: (operand: String, help: String) {
        switch self {
        case .describe: (" [ENTITY]", "lists the entities, or shows the properties of one")
        case .indexes: ("", "lists the indexes of the database")
        case .relationships: ("", "lists the relationships")
        case .tables: ("", "lists the tables of the database with their sizes")
        case .count: (" REQUEST", "counts objects")
        case .get: (" ENTITY:ID", "shows one object")
        case .explain: (" REQUEST", "shows a request's SQL and the database's query plan")
        case .advise: (" REQUEST", "recommends indexes for a request")
        case .sql: (" STATEMENT", "runs a read-only SQL statement")
        case .edit:
            (" [INPUT]", "opens the last input, or INPUT, in your editor, and runs it if you change it")
        case .connect:
            (" [STORE [TENANT]]", "continues with another store; without STORE, shows the current one")
        case .list: ("", "lists the stores of the configuration")
        case .expanded: (" [on|off]", "shows each row as a block of lines, with whole values")
        case .timing: (" [on|off]", "shows the duration of each input")
        case .pager: (" [on|off]", "shows results that are longer than the terminal in a pager")
        case .output:
            (
                " [FILE]",
                "writes results to a new file, which appears when it is closed; without FILE, to standard output"
            )
        case .history: (" [FILE]", "shows your earlier inputs, or writes them to a new file")
        case .syntax: ("", "shows the syntax of requests")
        case .help: ("", "prints this help")
        case .quit: ("", "exits")
        }
    }

    /// The help text, with one line per command.
    static var overview: String {
        let entries = allCases.map { ("\\\($0.rawValue)\($0.meaning.operand)", $0.meaning.help) }
        return lines([("REQUEST", "fetches objects, as 'query' does")] + entries)
            + """

            A line continues on the next one after an open quote, an open bracket, or a backslash at its end. An empty
            line ends the input.

            """
    }

    /// The syntax of requests, for `\h`.
    static var requestSyntax: String {
        """
        ENTITY [where PREDICATE] [order by KEYS] [limit N] [offset N]


        """
            + lines(
                predicateExamples + [("order by score desc, game.title", "sort keys, each with asc or desc")])
    }

    /// Predicates with what they show.
    static let predicateExamples = [
        ("score > 10 and name != \"Ann\"", "comparisons: == != < <= > >=, with and, or, not and parentheses"),
        ("game.title == \"Go\"", "a property of a related object"),
        ("game == nil", "a missing value"),
        ("score between {1, 10}", "bounds, both inclusive"),
        ("name in {\"Ann\", \"Bob\"}", "one of several values"),
        (
            "name beginsWith[c] \"an\"",
            "text: beginsWith, contains, endsWith, like, matches; [c] ignores case"
        ),
        ("players.@count > 2", "aggregates: @count, @sum, @avg, @min, @max"),
        ("any players.score > 10", "quantifiers over related objects: any, all, none"),
        ("startedAt > date(\"2026-08-01T12:00:00Z\")", "constants: date(…), uuid(…), decimal(…), data(…)"),
        ("length(name) > 3", "functions of numbers, texts and dates"),
    ]

    private static func lines(_ entries: [(String, String)]) -> String {
        let width = entries.map(\.0.count).max() ?? 0
        return entries.map { entry in
            entry.0 + String(repeating: " ", count: width - entry.0.count) + "  \(entry.1)\n"
        }.joined()
    }
}
