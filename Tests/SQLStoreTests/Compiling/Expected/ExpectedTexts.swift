import Testing

/// The compiled statement of a request in SQLite's dialect, in PostgreSQL's, and in a fictitious one.
struct ExpectedTexts: CustomTestStringConvertible {
    let request: String
    let sqlite: String?
    let postgres: String?
    /// Nil if the fictitious dialect doesn't support the request.
    let odd: String?

    var testDescription: String { request }

    init(_ request: String, sqlite: String?, postgres: String?, odd: String?) {
        self.request = request
        self.sqlite = sqlite
        self.postgres = postgres
        self.odd = odd
    }
}
