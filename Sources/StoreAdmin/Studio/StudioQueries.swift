/// A command that the page runs by a GET request, and the options of it that the page may choose.
struct StudioQuery: Sendable {
    /// The words of the command, which are also its path: `/api/inspect/entity`.
    let words: [String]
    /// The names of the query items that become operands, in the order of the operands.
    var operands: [String] = []
    /// The names of the options that the page may choose, none of which writes anything or names a file.
    var options: Set<String> = []

    var path: String { "/api/" + words.joined(separator: "/") }

    init(_ words: String, operands: [String] = [], options: Set<String> = []) {
        self.words = words.split(separator: " ").map(String.init)
        self.operands = operands
        self.options = options
    }
}

/// The commands that the page runs by GET requests: the allow-list of what a studio shows.
enum StudioQueries {
    /// The number of objects that a query fetches if the page gives no limit.
    static let defaultLimit = 200
    /// The largest limit of a request: its document is made in memory, and so is the page that shows it.
    static let largestLimit = 10_000

    static let all: [StudioQuery] = [
        StudioQuery("status"), StudioQuery("doctor", options: ["deep"]),
        StudioQuery("check", options: ["only", "entity", "limit"]), StudioQuery("drift"),
        StudioQuery("inspect entities"), StudioQuery("inspect entity", operands: ["entity"]),
        StudioQuery("inspect relationships"), StudioQuery("inspect counts"), StudioQuery("inspect sizes"),
        StudioQuery("inspect indexes"), StudioQuery("inspect settings"),
        StudioQuery("model show", operands: ["version"]), StudioQuery("model list"),
        StudioQuery("migrate status"), StudioQuery("migrate history"),
        StudioQuery("migrate plan", options: ["to", "sql", "rename", "removed", "convert"]),
        StudioQuery("migrate script", options: ["to", "from", "for"]),
        StudioQuery(
            "history list", options: ["entity", "author", "process", "after", "since", "limit", "object"]),
        StudioQuery("history show", operands: ["save"]),
        StudioQuery("backup list"),
        StudioQuery(
            "query", operands: ["request"],
            options: ["where", "order", "limit", "after", "before", "fields"]),
        StudioQuery("count", operands: ["request"], options: ["where"]),
        StudioQuery("explain", operands: ["request"], options: ["where", "order", "limit"]),
        StudioQuery("advise", operands: ["request"], options: ["where", "order", "limit"]),
        StudioQuery("get", operands: ["object"], options: ["limit"]),
        StudioQuery(
            "related", operands: ["object", "relationship"], options: ["limit", "after", "before"]),
        StudioQuery("diagram", options: ["entity"]),
        // Without `values`: statements of other programs may contain what the user of the page must not see.
        StudioQuery("activity", options: ["statements"]),
    ]

    /// Returns the query with a path.
    static func query(_ path: String) -> StudioQuery? { all.first { $0.path == path } }
}

extension StudioQuery {
    /// Returns the words after the command, for its parser.
    ///
    /// Values follow an equals sign or `--`, so no text of the page can become an option.
    ///
    /// - Throws: ``AdminError`` for an item that the command doesn't take from the page, and for a limit that is invalid or too large.
    func arguments(_ items: [(name: String, value: String)], of declaration: CommandDeclaration)
        throws(AdminError) -> [String]
    {
        var arguments: [String] = []
        var values: [String: String] = [:]
        for item in items {
            if operands.contains(item.name) {
                guard values.updateValue(item.value, forKey: item.name) == nil else {
                    throw .usage("the address has two values of “\(item.name)”.")
                }
            } else {
                arguments.append(try option(item.name, item.value, of: declaration))
            }
        }
        let limit = values["request"].flatMap { try? RequestText($0) }?.limit
        if let limit { try Self.checkLimit(String(limit)) }
        if words == ["query"], limit == nil, !items.contains(where: { $0.name == "limit" }) {
            arguments.append("--limit=\(StudioQueries.defaultLimit)")
        }
        // An operand can't be left out before one that is given.
        let given = operands.prefix { values[$0] != nil }
        return arguments + ["--"] + given.compactMap { values[$0] }
    }

    private func option(_ name: String, _ value: String, of declaration: CommandDeclaration)
        throws(AdminError) -> String
    {
        guard options.contains(name), let option = declaration.options.first(where: { $0.name == name })
        else {
            let known = operands + options.sorted()
            throw .usage(
                "the page can't set “\(name)” of '\(declaration.name)'.",
                hint: known.isEmpty ? "It takes nothing." : "It takes \(known.joined(separator: ", ")).")
        }
        if name == "limit" { try Self.checkLimit(value) }
        if option.value != nil { return "--\(name)=\(value)" }
        if ["", "1", "true"].contains(value) { return "--\(name)" }
        throw .usage("“\(name)” of '\(declaration.name)' takes no value.")
    }

    private static func checkLimit(_ text: String) throws(AdminError) {
        if let limit = Int(text), (0...StudioQueries.largestLimit).contains(limit) { return }
        throw .usage(
            "“limit” takes a whole number from 0 to \(StudioQueries.largestLimit), not “\(text)”.",
            hint: "Show the objects page by page, or export all of them.")
    }
}
