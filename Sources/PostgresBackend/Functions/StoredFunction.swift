#if Postgres
/// A function that a store creates in its schema, because the server has none with the same results as the evaluator in memory.
///
/// It is immutable, so that indexes can use it, and creating it needs no more privileges than creating tables.
struct StoredFunction {
    enum Language {
        /// An SQL function of one query, which the server can inline into the calling statement.
        case sql
        /// A PL/pgSQL function, whose plans each connection caches; its body qualifies functions, operators and types with a schema.
        case plpgsql
    }

    /// The unquoted name, which begins with `_store_`.
    let name: String
    /// The names and types of the arguments in SQL.
    let arguments: String
    let result: String
    let language: Language
    /// The statements between `BEGIN` and `END`, or the expression after `SELECT`.
    let body: String
    /// Whether the function is parallel safe; a function that catches errors isn't.
    let isParallelSafe: Bool

    init(
        _ name: String, _ arguments: String, _ result: String, as language: Language = .sql,
        isParallelSafe: Bool = true, _ body: String
    ) {
        self.name = "_store_\(name)"
        self.arguments = arguments
        self.result = result
        self.language = language
        self.body = body
        self.isParallelSafe = isParallelSafe
    }

    /// Returns the function's signature in a schema: its qualified name and argument types.
    func signature(in schema: String) -> String {
        let types = arguments.split(separator: ", ").map { $0.split(separator: " ").last ?? $0 }
        return "\(schema).\"\(name)\"(\(types.joined(separator: ", ")))"
    }

    /// The placeholder in bodies for the quoted schema of the functions.
    static let schemaPlaceholder = "@schema@"

    /// Returns a built-in operator, independently of the caller's `search_path`.
    ///
    /// Operators in this notation all have the same precedence, so expressions need parentheses.
    static func builtInOperator(_ sign: String) -> String { "OPERATOR(pg_catalog.\(sign))" }

    /// Returns the statement that creates or replaces the function.
    ///
    /// Its callers may have a `search_path` with user-defined functions and operators. Since version 14 the server parses the body of
    /// a query when it creates the function; in older versions the function sets its own path, which takes time. The server parses
    /// PL/pgSQL bodies later, so these qualify all names.
    ///
    /// - Parameters:
    ///   - schema: The quoted schema.
    ///   - version: The server's version as libpq returns it: 150018 for 15.18.
    func creation(in schema: String, version: Int32) -> String {
        let body = body.replacing(Self.schemaPlaceholder, with: schema)
        let parallel = isParallelSafe ? "SAFE" : "UNSAFE"
        let rest =
            switch language {
            case .sql where version >= 140_000:
                "LANGUAGE sql IMMUTABLE PARALLEL \(parallel)\nRETURN \(body)"
            case .sql:
                """
                LANGUAGE sql IMMUTABLE PARALLEL \(parallel) SET search_path = \(SessionSettings.path) AS $store$
                SELECT \(body)
                $store$
                """
            // The result for a null argument is null, and the server doesn't call a strict function then.
            case .plpgsql:
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
