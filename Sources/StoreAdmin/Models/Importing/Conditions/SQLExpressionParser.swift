import ContextCore

/// A recursive descent parser for the expressions that tables are declared with.
///
/// Each function returns nil if the tokens are something else, which ends the parsing.
struct SQLExpressionParser {
    private static let maximumDepth = 40
    /// Operators of calculations, which no model expresses; they are parsed for the conditions beside them.
    private static let calculations = ["+", "-", "*", "/", "%", "||", "->", "->>", "&", "|"]
    /// Tests of texts that no rule expresses.
    private static let textTests = ["~~", "!~~", "~~*", "~*", "!~"]
    private static let textTestWords = ["like", "ilike", "glob", "regexp", "match"]
    private static let integerTypes = ["integer", "int", "bigint", "smallint"]

    private let tokens: [SQLToken]
    private var index = 0
    private var depth = 0

    init(_ tokens: [SQLToken]) { self.tokens = tokens }

    var isAtEnd: Bool { index == tokens.count }

    mutating func parseExpression() -> SQLExpression? {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth, var members = parseConjunction().map({ [$0] }) else { return nil }
        while skip(word: "or") {
            guard let next = parseConjunction() else { return nil }
            members.append(next)
        }
        return members.count == 1 ? members[0] : .or(members)
    }

    private mutating func parseConjunction() -> SQLExpression? {
        guard var members = parseNegation().map({ [$0] }) else { return nil }
        while skip(word: "and") {
            guard let next = parseNegation() else { return nil }
            members.append(next)
        }
        return members.count == 1 ? members[0] : .and(members)
    }

    private mutating func parseNegation() -> SQLExpression? {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else { return nil }
        return skip(word: "not") ? parseNegation().map { .not($0) } : parsePredicate()
    }

    // MARK: Predicates

    private mutating func parsePredicate() -> SQLExpression? {
        guard let left = parseValue() else { return nil }
        guard let token = peek else { return left }
        if token.kind == .symbol, let comparison = SQLExpression.Comparison(symbol: token.value) {
            index += 1
            return parseRightSide(of: left, comparison)
        }
        if skip(symbol: "~") {
            guard case .text(let pattern)? = parseValue() else { return nil }
            return .matches(left, pattern)
        }
        if Self.textTests.contains(where: token.isSymbol) || Self.textTestWords.contains(where: token.isWord)
        {
            index += 1
            return parseValue().map { .call(token.value.lowercased(), [left, $0]) }
        }
        if skip(word: "is") {
            let isNegated = skip(word: "not")
            guard skip(word: "null") else { return nil }
            return isNegated ? .not(.isNull(left)) : .isNull(left)
        }
        if skip(word: "isnull") { return .isNull(left) }
        if skip(word: "notnull") { return .not(.isNull(left)) }
        return parseSet(left)
    }

    /// Parses `IN` and `BETWEEN`, and their negations; returns the left side if neither follows.
    private mutating func parseSet(_ left: SQLExpression) -> SQLExpression? {
        let isNegated = peek?.isWord("not") == true
        if isNegated { index += 1 }
        var found: SQLExpression?
        if skip(word: "in") {
            guard skip(symbol: "("), let members = parseList(endingWith: ")") else { return nil }
            found = .isMember(left, members)
        } else if skip(word: "between") {
            guard let low = parseValue(), skip(word: "and"), let high = parseValue() else { return nil }
            found = .and([.compare(left, .atLeast, low), .compare(left, .atMost, high)])
        } else if isNegated, let word = peek, Self.textTestWords.contains(where: word.isWord) {
            index += 1
            found = parseValue().map { .call(word.value.lowercased(), [left, $0]) }
        } else {
            return isNegated ? nil : left
        }
        return isNegated ? found.map { .not($0) } : found
    }

    private mutating func parseRightSide(
        of left: SQLExpression, _ comparison: SQLExpression.Comparison
    ) -> SQLExpression? {
        guard comparison == .equal, skip(word: "any") else {
            return parseValue().map { .compare(left, comparison, $0) }
        }
        guard skip(symbol: "("), case .array(let members)? = parseValue(), skip(symbol: ")") else {
            return nil
        }
        return .isMember(left, members)
    }

    // MARK: Values

    /// Parses a value, and the operators of a calculation; their precedence doesn't matter.
    private mutating func parseValue() -> SQLExpression? {
        guard var value = parseOperand() else { return nil }
        while let token = peek, Self.calculations.contains(where: token.isSymbol) {
            index += 1
            guard let next = parseOperand() else { return nil }
            value = .call(token.value, [value, next])
        }
        return value
    }

    private mutating func parseOperand() -> SQLExpression? {
        guard var value = parsePrimary() else { return nil }
        while true {
            if skip(symbol: "::") {
                guard let type = parseType() else { return nil }
                value = Self.cast(value, to: type)
            } else if skip(word: "collate") {
                guard peek != nil else { return nil }
                index += 1
                value = .call("collate", [value])
            } else if peek?.isWord("at") == true {
                guard skip(word: "at"), skip(word: "time"), skip(word: "zone"), let zone = parseOperand()
                else {
                    return nil
                }
                value = .call("timezone", [zone, value])
            } else {
                return value
            }
        }
    }

    private mutating func parsePrimary() -> SQLExpression? {
        guard let token = peek else { return nil }
        index += 1
        switch token.kind {
        case .number: return .number(token.value)
        case .text: return .text(token.value)
        case .name: return parseName(token.value)
        case .word: return parseWord(token.value)
        case .symbol: break
        }
        if token.isSymbol("(") {
            guard let inner = parseExpression(), skip(symbol: ")") else { return nil }
            return inner
        }
        guard token.isSymbol("-") || token.isSymbol("+"), case .number(let text)? = parsePrimary() else {
            return nil
        }
        return .number(token.isSymbol("-") ? "-" + text : text)
    }

    private mutating func parseWord(_ word: String) -> SQLExpression? {
        switch word.lowercased() {
        case "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "current_timestamp", "current_date", "current_time", "localtimestamp":
            return .call(word.lowercased(), [])
        case "array":
            guard skip(symbol: "[") else { return parseName(word) }
            return parseList(endingWith: "]").map { .array($0) }
        case "cast":
            guard skip(symbol: "("), let value = parseExpression(), skip(word: "as"), let type = parseType(),
                skip(symbol: ")")
            else { return nil }
            return Self.cast(value, to: type)
        // A literal in these notations is none that is expected here.
        case "x", "e", "b", "date", "timestamp", "interval":
            if peek?.kind == .text { return nil }
            return parseName(word)
        default: return parseName(word)
        }
    }

    /// Parses the rest of a name after its first part: of a column or of a function.
    private mutating func parseName(_ first: String) -> SQLExpression? {
        var name = first
        while skip(symbol: ".") {
            guard let next = peek, next.kind == .word || next.kind == .name else { return nil }
            name = next.value
            index += 1
        }
        guard skip(symbol: "(") else { return .column(name) }
        return parseList(endingWith: ")").map { .call(name.lowercased(), $0) }
    }

    private mutating func parseList(endingWith end: String) -> [SQLExpression]? {
        if skip(symbol: end) { return [] }
        var members: [SQLExpression] = []
        repeat {
            guard let member = parseExpression() else { return nil }
            members.append(member)
        } while skip(symbol: ",")
        return skip(symbol: end) ? members : nil
    }

    // MARK: Types

    /// Parses the name of a type without its schema: `character varying(80)[]` gives `character varying[]`.
    private mutating func parseType() -> String? {
        guard let first = peek, first.kind == .word || first.kind == .name else { return nil }
        index += 1
        var name = first.value
        while skip(symbol: ".") {
            guard let next = peek, next.kind == .word || next.kind == .name else { return nil }
            name = next.value
            index += 1
        }
        while let next = peek,
            ["varying", "precision", "without", "with", "time", "zone"].contains(where: next.isWord)
        {
            name += " " + next.value
            index += 1
        }
        if peek?.isSymbol("(") == true, let closing = tokens.closingIndex(of: index) {
            index = closing + 1
            name += "()"
        }
        if skip(symbol: "[") {
            guard skip(symbol: "]") else { return nil }
            name += "[]"
        }
        return name.lowercased()
    }

    /// Returns a value that is cast to a type; the type of a literal is that of the column that it is compared with.
    private static func cast(_ value: SQLExpression, to type: String) -> SQLExpression {
        switch value {
        // The cast rounds it.
        case .number(let text) where integerTypes.contains(type) && Int64(text) == nil: .cast(value, type)
        case .text, .number, .bool, .null, .array: value
        default: .cast(value, type)
        }
    }

    // MARK: Tokens

    private var peek: SQLToken? { index < tokens.count ? tokens[index] : nil }

    private mutating func skip(word: String) -> Bool {
        guard peek?.isWord(word) == true else { return false }
        index += 1
        return true
    }

    private mutating func skip(symbol: String) -> Bool {
        guard peek?.isSymbol(symbol) == true else { return false }
        index += 1
        return true
    }
}
