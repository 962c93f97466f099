/// A recursive descent parser for a predicate's text.
///
/// Each level of the grammar has a method, loosest first: OR, AND, NOT, comparison, and in `+Values` the levels of a value.
/// Parentheses can contain a condition or a value, so the upper levels return a condition or a value.
struct PredicateParser {
    /// The result of parsing: a condition or a value.
    enum Parsed {
        case condition(FetchPredicate)
        case value(FetchExpression)
    }

    /// The maximum nesting of parentheses, functions and negations.
    static let maximumDepth = 100
    /// The maximum number of arithmetic operators in a chain without parentheses.
    static let maximumChainLength = 100

    let lexer: PredicateLexer
    let tokens: [PredicateToken]
    let arguments: [any PredicateArgument]
    var index = 0
    var usedArgumentCount = 0
    private var depth = 0

    /// Splits a text into tokens, to be parsed with arguments for its placeholders.
    init(_ text: String, arguments: [any PredicateArgument]) throws(PredicateSyntaxError) {
        var lexer = PredicateLexer(text)
        tokens = try lexer.tokens()
        self.lexer = lexer
        self.arguments = arguments
    }

    /// Parses the whole text as a condition.
    mutating func wholePredicate() throws(PredicateSyntaxError) -> FetchPredicate {
        let predicate = try condition(.disjunction)
        try finish()
        return predicate
    }

    /// Parses the whole text as a value.
    mutating func wholeExpression() throws(PredicateSyntaxError) -> FetchExpression {
        let expression = try value()
        try finish()
        return expression
    }

    /// Checks that the text ends at the current token and that all arguments are used.
    mutating func finish() throws(PredicateSyntaxError) {
        guard token.kind == .end else { throw unexpectedTokenError("AND, OR or the end") }
        guard usedArgumentCount == arguments.count else {
            throw syntaxError(
                "the text has \(usedArgumentCount) placeholders, but \(arguments.count) arguments were passed"
            )
        }
    }
}

// MARK: - Conditions

extension PredicateParser {
    /// A level of the grammar, from the loosest to the tightest.
    enum Level {
        case disjunction, conjunction, negation, valueOrCondition, sum, product, signedValue
    }

    mutating func parse(_ level: Level) throws(PredicateSyntaxError) -> Parsed {
        switch level {
        case .disjunction: try conditionChain(.or, .bars, of: .conjunction) { .or($0) }
        case .conjunction: try conditionChain(.and, .ampersands, of: .negation) { .and($0) }
        case .negation: try negation()
        case .valueOrCondition: try valueOrCondition()
        case .sum: try chain([.plus: .add, .minus: .subtract], of: .product)
        case .product: try chain([.times: .multiply, .divided: .divide], of: .signedValue)
        case .signedValue: try signedValue()
        }
    }

    /// Parses a condition; a value is an error.
    mutating func condition(_ level: Level) throws(PredicateSyntaxError) -> FetchPredicate {
        let start = token.range.lowerBound
        let parsed = try parse(level)
        switch parsed {
        case .condition(let condition): return condition
        case .value: throw missingConditionError(parsed, at: start)
        }
    }

    private mutating func conditionChain(
        _ word: PredicateKeyword, _ sign: PredicateToken.Symbol, of level: Level,
        _ join: ([FetchPredicate]) -> FetchPredicate
    ) throws(PredicateSyntaxError) -> Parsed {
        let start = token.range.lowerBound
        let first = try parse(level)
        guard isAt(word) || isAt(sign) else { return first }
        guard case .condition(let condition) = first else { throw missingConditionError(first, at: start) }
        var members = [condition]
        while skip(word) || skip(sign) { members.append(try self.condition(level)) }
        return .condition(join(members))
    }

    private mutating func negation() throws(PredicateSyntaxError) -> Parsed {
        guard skip(.not) || skip(.exclamation) else { return try comparison() }
        return try nested { parser throws(PredicateSyntaxError) in
            .condition(.not(try parser.condition(.negation)))
        }
    }

    private mutating func comparison() throws(PredicateSyntaxError) -> Parsed {
        if case .keyword(let keyword) = token.kind, let quantifier = keyword.quantifier {
            index += 1
            if isAtQuantifiedForm { return .condition(try quantified(quantifier)) }
            let left = try value()
            return .condition(try comparison(of: left, quantifier: quantifier))
        }
        let start = index
        switch try valueOrCondition() {
        case .condition(let condition):
            return .condition(skip(.is) ? try truth(of: condition) : condition)
        case .value(let left):
            if skip(.is) { return .condition(try identity(of: left, from: start)) }
            guard token.comparison != nil || isAt(.not) else { return .value(left) }
            return .condition(try comparison(of: left, quantifier: nil))
        }
    }

    /// Parses the operator and the right side of a comparison.
    private mutating func comparison(
        of left: FetchExpression, quantifier: Quantifier?
    ) throws(PredicateSyntaxError) -> FetchPredicate {
        let isNegated = skip(.not)
        guard let sign = token.comparison else { throw unexpectedTokenError("a comparison") }
        index += 1
        let options = try textOptions()
        let right =
            switch sign {
            case .in: try list()
            case .between: try bounds()
            default: try value()
            }
        let comparison = FetchPredicate.comparison(
            PredicateComparison(left, sign, right, options: options, quantifier: quantifier))
        return isNegated ? .not(comparison) : comparison
    }

    /// Parses the rest of `(condition) IS TRUE`.
    private mutating func truth(of condition: FetchPredicate) throws(PredicateSyntaxError) -> FetchPredicate {
        let isNegated = skip(.not)
        let truth: PredicateTruth
        switch token.kind {
        case .keyword(.true), .keyword(.yes): truth = .true
        case .keyword(.false), .keyword(.no): truth = .false
        case .keyword(.null), .keyword(.nil): truth = .unknown
        case .name(let name) where name.lowercased() == "unknown": truth = .unknown
        default: throw unexpectedTokenError("TRUE, FALSE or UNKNOWN")
        }
        index += 1
        return isNegated ? .not(.truth(condition, is: truth)) : .truth(condition, is: truth)
    }

    /// Parses the rest of `value IS NULL` or `object IS Entity`.
    private mutating func identity(
        of left: FetchExpression, from start: Int
    ) throws(PredicateSyntaxError) -> FetchPredicate {
        let isNegated = skip(.not)
        if skip(.null) || skip(.nil) {
            return .comparing(left, isNegated ? .notEqual : .equal, .literal(.null))
        }
        guard case .path(let path) = left else { throw unexpectedTokenError("NULL") }
        guard case .name(let name) = token.kind else {
            throw unexpectedTokenError("NULL or an entity's name")
        }
        index += 1
        let isItself = path == "entity" && lexer.bytes[tokens[start].range.lowerBound] != UInt8(ascii: "#")
        let test = FetchPredicate.isEntity(isItself ? .itself : path, name: name)
        return isNegated ? .not(test) : test
    }
}

// MARK: - Quantifiers

extension PredicateParser {
    /// Whether the next tokens are `(path, $x,`.
    private var isAtQuantifiedForm: Bool {
        guard token.kind == .symbol(.open) else { return false }
        var ahead = index + 1
        while ahead < tokens.count {
            switch tokens[ahead].kind {
            case .name, .keyword, .variable, .pathArgument, .symbol(.point): ahead += 1
            case .symbol(.comma):
                guard ahead + 2 < tokens.count, case .variable = tokens[ahead + 1].kind else { return false }
                return tokens[ahead + 2].kind == .symbol(.comma)
            default: return false
            }
        }
        return false
    }

    private mutating func quantified(_ quantifier: Quantifier) throws(PredicateSyntaxError) -> FetchPredicate
    {
        let (path, variable, condition) = try subquery()
        return .quantified(quantifier, in: path, variable: variable, condition)
    }

    /// Parses `(path, $x, condition)`.
    mutating func subquery() throws(PredicateSyntaxError) -> (PropertyPath, String, FetchPredicate) {
        try nested { parser throws(PredicateSyntaxError) in
            try parser.expect(.open)
            guard case .path(let path) = try parser.value() else {
                throw parser.syntaxError("expected a relationship")
            }
            try parser.expect(.comma)
            guard case .variable(let variable) = parser.token.kind else {
                throw parser.unexpectedTokenError("a variable such as $x")
            }
            parser.index += 1
            try parser.expect(.comma)
            let condition = try parser.condition(.disjunction)
            try parser.expect(.close)
            return (path, variable, condition)
        }
    }
}

// MARK: - Tokens

extension PredicateParser {
    var token: PredicateToken { tokens[index] }

    func isAt(_ keyword: PredicateKeyword) -> Bool { token.kind == .keyword(keyword) }
    func isAt(_ symbol: PredicateToken.Symbol) -> Bool { token.kind == .symbol(symbol) }

    mutating func skip(_ keyword: PredicateKeyword) -> Bool {
        guard isAt(keyword) else { return false }
        index += 1
        return true
    }

    mutating func skip(_ symbol: PredicateToken.Symbol) -> Bool {
        guard isAt(symbol) else { return false }
        index += 1
        return true
    }

    mutating func expect(_ symbol: PredicateToken.Symbol) throws(PredicateSyntaxError) {
        guard skip(symbol) else { throw unexpectedTokenError("\"\(symbol.rawValue)\"") }
    }

    /// Parses one nesting level deeper, up to ``deepest`` levels.
    mutating func nested<Result>(
        _ body: (inout PredicateParser) throws(PredicateSyntaxError) -> Result
    ) throws(PredicateSyntaxError) -> Result {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else {
            throw syntaxError("the predicate is nested more than \(Self.maximumDepth) levels deep")
        }
        return try body(&self)
    }

    /// Returns the error for a value in a position that needs a condition.
    private func missingConditionError(_ parsed: Parsed, at offset: Int) -> PredicateSyntaxError {
        guard
            token.kind == .end || isAt(.close) || isAt(.comma) || isAt(.and) || isAt(.or)
                || isAt(.ampersands) || isAt(.bars)
        else {
            return unexpectedTokenError("a comparison")
        }
        var hint: String?
        if case .value(.path(let path)) = parsed { hint = "Compare a Boolean with YES or NO: \(path) = YES." }
        return syntaxError("expected a condition, found a value", at: offset, suggestion: hint)
    }

    func syntaxError(
        _ message: String, at offset: Int? = nil, suggestion: String? = nil
    ) -> PredicateSyntaxError {
        lexer.syntaxError(message, at: offset ?? token.range.lowerBound, suggestion: suggestion)
    }

    /// Returns the error for a current token that the grammar doesn't allow.
    func unexpectedTokenError(_ expected: String, suggestion: String? = nil) -> PredicateSyntaxError {
        let after = index > 0 ? " after \"\(text(of: tokens[index - 1]))\"" : ""
        let found = token.kind == .end ? "the end" : "\"\(text(of: token))\""
        return syntaxError(
            "expected \(expected)\(after), found \(found)", suggestion: suggestion ?? keywordSuggestion())
    }

    func text(of token: PredicateToken) -> String {
        String(decoding: lexer.bytes[token.range], as: UTF8.self)
    }

    /// Suggests the keyword nearest to a misspelled word.
    private func keywordSuggestion() -> String? {
        guard case .name(let name) = token.kind else { return nil }
        let words = PredicateKeyword.allCases.map { $0.rawValue.uppercased() }
        return Spelling.nearest(to: name.uppercased(), among: words).map { "Did you mean \($0)?" }
    }
}
