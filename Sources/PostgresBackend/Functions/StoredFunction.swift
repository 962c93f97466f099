#if Postgres
/// A function that a store brings along in its schema, because the server has none that answers as the evaluator in memory does.
///
/// It is immutable, so that indexes may use it, and takes no more rights than making tables does.
struct StoredFunction {
    enum Language {
        /// One query, which the server can write into the statement that calls it.
        case query
        /// Statements, of which the server keeps a plan for each connection; they name functions, operators and types in full.
        case steps
    }

    /// The name without quotes; all begin with `_store_`.
    let name: String
    /// Names and types, as SQL writes them.
    let arguments: String
    let result: String
    let language: Language
    /// What is between `BEGIN` and `END`, or follows `SELECT`.
    let body: String
    /// Whether several processes of the server may work it out at once; one that catches errors must not be.
    let isParallel: Bool

    init(
        _ name: String, _ arguments: String, _ result: String, as language: Language = .query,
        isParallel: Bool = true, _ body: String
    ) {
        self.name = "_store_\(name)"
        self.arguments = arguments
        self.result = result
        self.language = language
        self.body = body
        self.isParallel = isParallel
    }

    /// The function in a schema by which it is called: its name and types, and none other.
    func signature(in schema: String) -> String {
        let types = arguments.split(separator: ", ").map { $0.split(separator: " ").last ?? $0 }
        return "\(schema).\"\(name)\"(\(types.joined(separator: ", ")))"
    }

    /// Stands in bodies for the schema that the functions are in, between quotes.
    static let schema = "@schema@"

    /// An operator of the server's own, whatever the path of whoever calls the function.
    ///
    /// Written so, all operators bind alike: what belongs together stands in parentheses.
    static func own(_ sign: String) -> String { "OPERATOR(pg_catalog.\(sign))" }

    /// The statement that makes the function, or makes it anew.
    ///
    /// Whoever calls it may have another path than this library's sessions, with somebody's functions and operators on it. The body
    /// of a query is read now and never again, from version 14 on; before that it is given a path of its own, which costs some
    /// time. The server reads steps at each call, so they name everything in full.
    ///
    /// - Parameters:
    ///   - schema: The schema, between quotes.
    ///   - version: The server's, as libpq has it: 150018 for 15.18.
    func creation(in schema: String, version: Int32) -> String {
        let body = body.replacing(Self.schema, with: schema)
        let parallel = isParallel ? "SAFE" : "UNSAFE"
        let rest =
            switch language {
            case .query where version >= 140_000:
                "LANGUAGE sql IMMUTABLE PARALLEL \(parallel)\nRETURN \(body)"
            case .query:
                """
                LANGUAGE sql IMMUTABLE PARALLEL \(parallel) SET search_path = \(SessionSettings.path) AS $store$
                SELECT \(body)
                $store$
                """
            // Without a value there is nothing to work out, and the server need not even call the function.
            case .steps:
                """
                LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL \(parallel) AS $store$
                BEGIN
                \(body)
                END
                $store$
                """
            }
        return "CREATE OR REPLACE FUNCTION \(schema).\"\(name)\"(\(arguments)) RETURNS \(result)\n\(rest)"
    }
}
#endif
