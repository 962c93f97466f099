/// Names the forms in which commands print what they found.
enum OutputForm: String, CaseIterable, Sendable {
    /// Aligned text for people.
    case table
    /// One JSON document.
    case json
    /// A JSON document a line.
    case jsonl
    /// Comma-separated values, as RFC 4180 has them.
    case csv
    /// A table in Markdown.
    case md
}
