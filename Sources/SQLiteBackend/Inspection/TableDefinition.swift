#if SQLite
import ContextCore

/// The parts of a `CREATE TABLE` statement that no pragma of SQLite reports: check constraints, collations, and the expressions of
/// computed columns.
struct TableDefinition {
    private(set) var checks: [TableStructure.Check] = []
    /// The expression of each computed column, by the column's name in lower case.
    private(set) var generated: [String: String] = [:]
    /// The collation of each column that has another one than `BINARY`, by the column's name in lower case.
    private(set) var looseCollations: [String: String] = [:]

    private let statement: String
    private static let constraintWords = ["constraint", "primary", "unique", "check", "foreign"]

    /// Reads a statement of the schema; of one that it can't read it finds nothing.
    init(_ statement: String) {
        self.statement = statement
        guard let tokens = SQLToken.tokens(of: statement),
            let start = tokens.firstIndex(where: { $0.isSymbol("(") }),
            let end = tokens.closingIndex(of: start)
        else { return }
        // The name of the column whose definition the tokens belong to; nil in constraints of the table.
        var column: String?
        var isFirst = true
        var index = start + 1
        while index < end {
            let token = tokens[index]
            if isFirst { column = Self.constraintWords.contains(where: token.isWord) ? nil : token.value }
            isFirst = token.isSymbol(",")
            if token.isWord("collate"), let column, tokens[index + 1].value.lowercased() != "binary" {
                looseCollations[column.lowercased()] = tokens[index + 1].value
            }
            let isGroup = tokens[index + 1].isSymbol("(")
            guard isGroup, let closing = tokens.closingIndex(of: index + 1) else {
                index += 1
                continue
            }
            let inner = String(
                statement[tokens[index + 1].range.upperBound..<tokens[closing].range.lowerBound])
            if token.isWord("check") {
                checks.append(.init(inner, statement: "CHECK (\(inner))", isEnforced: false))
            } else if token.isWord("as"), let column {
                generated[column.lowercased()] = inner
            }
            index = closing + 1
        }
    }

    /// Returns the condition of a partial index, by the statement that created it.
    static func predicate(ofIndex statement: String) -> String? {
        guard let tokens = SQLToken.tokens(of: statement),
            let start = tokens.firstIndex(where: { $0.isSymbol("(") }),
            let end = tokens.closingIndex(of: start), end + 1 < tokens.count, tokens[end + 1].isWord("where")
        else { return nil }
        return String(statement[tokens[end + 1].range.upperBound...])
    }
}
#endif
