import Testing

/// What a compiler makes of a request in SQLite's dialect, in PostgreSQL's, and in one that no database has.
struct ExpectedTexts: CustomTestStringConvertible {
    let request: String
    let sqlite: String?
    let postgres: String?
    /// Nil where the odd dialect has no word for something.
    let odd: String?

    var testDescription: String { request }

    init(_ request: String, sqlite: String?, postgres: String?, odd: String?) {
        self.request = request
        self.sqlite = sqlite
        self.postgres = postgres
        self.odd = odd
    }
}
