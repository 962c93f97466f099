#if Postgres
/// A function that a store brings along in its schema, because the server has none that answers as the evaluator in memory does.
///
/// It is immutable, so that indexes may use it, and takes no more rights than making tables does.
struct StoredFunction {
    enum Language {
        /// One query, which the server can write into the statement that calls it.
        case query
        /// Statements, of which the server keeps a plan for each connection.
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

    /// Stands in bodies for the schema that the functions are in, between quotes.
    static let schema = "@schema@"

    /// The statement that makes the function, or makes it anew.
    ///
    /// - Parameter schema: The schema, between quotes.
    func creation(in schema: String) -> String {
        let parallel = isParallel ? "SAFE" : "UNSAFE"
        let (language, text) =
            switch self.language {
            case .query: ("sql", "SELECT \(body)")
            // Without a value there is nothing to work out, and the server need not even call the function.
            case .steps: ("plpgsql", "BEGIN\n\(body)\nEND")
            }
        let strictness = self.language == .steps ? " STRICT" : ""
        return """
            CREATE OR REPLACE FUNCTION \(schema)."\(name)"(\(arguments)) RETURNS \(result)
            LANGUAGE \(language) IMMUTABLE\(strictness) PARALLEL \(parallel) AS $store$
            \(text.replacing(Self.schema, with: schema))
            $store$
            """
    }
}
#endif
