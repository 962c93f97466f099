/// Reads a predicate's text.
///
/// One method a level of the grammar, loosest first: OR, AND, NOT, comparison, and in `+Values` the levels of a value. As a
/// parenthesis may hold a condition or a value, the upper levels answer either.
struct PredicateParser {
    /// What stood in the text: a condition or a value.
    enum Parsed {
        case condition(FetchPredicate)
        case value(FetchExpression)
    }

    /// How deep parentheses, functions and negations may be nested.
    static let deepest = 100
    /// How many numbers may be reckoned together without parentheses.
    static let longestChain = 100

    let lexer: PredicateLexer
    let tokens: [PredicateToken]
    let arguments: [any PredicateArgument]
    var index = 0
    var usedArguments = 0
    private var depth = 0

    /// Takes a text apart, to be read with the values for its arguments.
    init(_ text: String, arguments: [any PredicateArgument]) throws(PredicateSyntaxError) {
        var lexer = PredicateLexer(text)
        tokens = try lexer.tokens()
        self.lexer = lexer
        self.arguments = arguments
    }

    /// Reads the whole text as a condition.
    mutating func wholePredicate() throws(PredicateSyntaxError) -> FetchPredicate {
        let predicate = try condition(.disjunction)
        try finish()
        return predicate
    }

    /// Reads the whole text as a value.
    mutating func wholeExpression() throws(PredicateSyntaxError) -> FetchExpression {
        let expression = try value()
        try finish()
        return expression
    }

    /// Makes sure that the text ends here and that all arguments were used.
    mutating func finish() throws(PredicateSyntaxError) {
        guard token.kind == .end else { throw unexpected("the end, AND or OR") }
        guard usedArguments == arguments.count else {
            throw fail("\(arguments.count) values were given for \(usedArguments) places")
        }
    }
}

// MARK: - Conditions

extension PredicateParser {
    /// A level of the grammar, from the loosest to the tightest.
    enum Level {
        case disjunction, conjunction, negation, either, sum, product, signed
    }

    mutating func parse(_ level: Level) throws(PredicateSyntaxError) -> Parsed {
        switch level {
        case .disjunction: try joined(.or, .bars, of: .conjunction) { .or($0) }
        case .conjunction: try joined(.and, .ampersands, of: .negation) { .and($0) }
        case .negation: try negation()
        case .either: try either()
        case .sum: try chain([.plus: .add, .minus: .subtract], of: .product)
        case .product: try chain([.times: .multiply, .divided: .divide], of: .signed)
        case .signed: try signed()
        }
    }

    /// Reads a condition, where a value alone won't do.
    mutating func condition(_ level: Level) throws(PredicateSyntaxError) -> FetchPredicate {
        let start = token.range.lowerBound
        let parsed = try parse(level)
        switch parsed {
        case .condition(let condition): return condition
        case .value: throw noCondition(parsed, at: start)
        }
    }

    private mutating func joined(
        _ word: PredicateKeyword, _ sign: PredicateToken.Symbol, of level: Level,
        _ join: ([FetchPredicate]) -> FetchPredicate
    ) throws(PredicateSyntaxError) -> Parsed {
        let start = token.range.lowerBound
        let first = try parse(level)
        guard isAt(word) || isAt(sign) else { return first }
        guard case .condition(let condition) = first else { throw noCondition(first, at: start) }
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
        switch try either() {
        case .condition(let condition):
            return .condition(skip(.is) ? try truth(of: condition) : condition)
        case .value(let left):
            if skip(.is) { return .condition(try identity(of: left, from: start)) }
            guard token.comparison != nil || isAt(.not) else { return .value(left) }
            return .condition(try comparison(of: left, quantifier: nil))
        }
    }

    /// Reads the rest of a comparison.
    private mutating func comparison(
        of left: FetchExpression, quantifier: Quantifier?
    ) throws(PredicateSyntaxError) -> FetchPredicate {
        let isNegated = skip(.not)
        guard let sign = token.comparison else { throw unexpected("a comparison") }
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

    /// Reads what follows `(condition) IS`.
    private mutating func truth(of condition: FetchPredicate) throws(PredicateSyntaxError) -> FetchPredicate {
        let isNegated = skip(.not)
        let answer: PredicateTruth
        switch token.kind {
        case .keyword(.true), .keyword(.yes): answer = .true
        case .keyword(.false), .keyword(.no): answer = .false
        case .keyword(.null), .keyword(.nil): answer = .unknown
        case .name(let name) where name.lowercased() == "unknown": answer = .unknown
        default: throw unexpected("TRUE, FALSE or UNKNOWN")
        }
        index += 1
        return isNegated ? .not(.truth(condition, is: answer)) : .truth(condition, is: answer)
    }

    /// Reads what follows `value IS`: null, or the name of an entity.
    private mutating func identity(
        of left: FetchExpression, from start: Int
    ) throws(PredicateSyntaxError) -> FetchPredicate {
        let isNegated = skip(.not)
        if skip(.null) || skip(.nil) {
            return .comparing(left, isNegated ? .notEqual : .equal, .literal(.null))
        }
        guard case .path(let path) = left else { throw unexpected("NULL") }
        guard case .name(let name) = token.kind else { throw unexpected("NULL or an entity's name") }
        index += 1
        let isItself = path == "entity" && lexer.bytes[tokens[start].range.lowerBound] != UInt8(ascii: "#")
        let test = FetchPredicate.isEntity(isItself ? .itself : path, name: name)
        return isNegated ? .not(test) : test
    }
}

// MARK: - Quantifiers

extension PredicateParser {
    /// Whether `(path, $x,` follows.
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

    /// Reads `(path, $x, condition)`.
    mutating func subquery() throws(PredicateSyntaxError) -> (PropertyPath, String, FetchPredicate) {
        try nested { parser throws(PredicateSyntaxError) in
            try parser.expect(.open)
            guard case .path(let path) = try parser.value() else {
                throw parser.fail("a relationship was expected")
            }
            try parser.expect(.comma)
            guard case .variable(let variable) = parser.token.kind else {
                throw parser.unexpected("a variable such as $x")
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
        guard skip(symbol) else { throw unexpected("\"\(symbol.rawValue)\"") }
    }

    /// Goes one level deeper, if that is allowed.
    mutating func nested<Result>(
        _ body: (inout PredicateParser) throws(PredicateSyntaxError) -> Result
    ) throws(PredicateSyntaxError) -> Result {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else {
            throw fail("the predicate is nested more than \(Self.deepest) levels deep")
        }
        return try body(&self)
    }

    /// Says that a value stood where a condition was needed.
    private func noCondition(_ parsed: Parsed, at offset: Int) -> PredicateSyntaxError {
        guard
            token.kind == .end || isAt(.close) || isAt(.comma) || isAt(.and) || isAt(.or)
                || isAt(.ampersands) || isAt(.bars)
        else {
            return unexpected("a comparison")
        }
        var hint: String?
        if case .value(.path(let path)) = parsed { hint = "A Boolean is compared too: \(path) = YES." }
        return fail("a value alone is no condition", at: offset, suggestion: hint)
    }

    func fail(
        _ message: String, at offset: Int? = nil, suggestion: String? = nil
    ) -> PredicateSyntaxError {
        lexer.fail(message, at: offset ?? token.range.lowerBound, suggestion: suggestion)
    }

    /// Says what should have been in the token's place, and what is.
    func unexpected(_ expected: String, suggestion: String? = nil) -> PredicateSyntaxError {
        let after = index > 0 ? " after \"\(text(of: tokens[index - 1]))\"" : ""
        let found = token.kind == .end ? "the end" : "\"\(text(of: token))\""
        return fail(
            "\(expected) was expected\(after), not \(found)", suggestion: suggestion ?? nearMiss())
    }

    func text(of token: PredicateToken) -> String {
        String(decoding: lexer.bytes[token.range], as: UTF8.self)
    }

    /// The keyword that a misspelt word was meant to be.
    private func nearMiss() -> String? {
        guard case .name(let name) = token.kind else { return nil }
        let words = PredicateKeyword.allCases.map { $0.rawValue.uppercased() }
        return Spelling.nearest(to: name.uppercased(), among: words).map { "Did you mean \($0)?" }
    }
}
