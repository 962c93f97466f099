/// The output formats of commands.
enum OutputFormat: String, CaseIterable, Sendable {
    /// Aligned text for people.
    case table
    /// One JSON document.
    case json
    /// One JSON document per line.
    case jsonl
    /// Comma-separated values (RFC 4180).
    case csv
    /// A Markdown table.
    case md
}
