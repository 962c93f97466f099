/// Parses the levels of a value: `??`, sums, products, signs and primary expressions.
extension PredicateParser {
    /// Parses a value.
    mutating func value() throws(PredicateSyntaxError) -> FetchExpression {
        try value(.valueOrCondition)
    }

    /// Parses a value of one level; a condition is an error.
    private mutating func value(_ level: Level) throws(PredicateSyntaxError) -> FetchExpression {
        let start = token.range.lowerBound
        let parsed = try parse(level)
        return try value(parsed, at: start)
    }

    /// Parses a value, or a condition in parentheses.
    mutating func valueOrCondition() throws(PredicateSyntaxError) -> Parsed {
        let start = token.range.lowerBound
        let first = try parse(.sum)
        guard isAt(.orElse) else { return first }
        var members = [try value(first, at: start)]
        while skip(.orElse) { members.append(try value(.sum)) }
        return .value(.function(.coalesce, members))
    }

    /// Parses a left-associative chain of operators of one level.
    mutating func chain(
        _ signs: [PredicateToken.Symbol: ArithmeticOperator], of level: Level
    ) throws(PredicateSyntaxError) -> Parsed {
        let start = token.range.lowerBound
        var result = try parse(level)
        var length = 0
        while case .symbol(let symbol) = token.kind, let sign = signs[symbol] {
            let left = try value(result, at: start)
            index += 1
            length += 1
            guard length <= Self.maximumChainLength else {
                throw syntaxError(
                    "the expression is a chain of more than \(Self.maximumChainLength) operators")
            }
            result = .value(.arithmetic(sign, left, try value(level)))
        }
        return result
    }

    mutating func signedValue() throws(PredicateSyntaxError) -> Parsed {
        guard skip(.minus) else { return try primaryExpression() }
        switch token.kind {
        case .integer(let magnitude):
            guard magnitude <= UInt64(Int64.max) + 1 else { throw numberTooLargeError() }
            index += 1
            return .value(.literal(.int(Int64(truncatingIfNeeded: 0 &- magnitude))))
        case .double(let magnitude):
            index += 1
            return .value(.literal(.double(-magnitude)))
        default:
            return try nested { parser throws(PredicateSyntaxError) in
                .value(.function(.negate, [try parser.value(.signedValue)]))
            }
        }
    }

    /// Returns the parsed value; a condition is an error.
    private func value(_ parsed: Parsed, at offset: Int) throws(PredicateSyntaxError) -> FetchExpression {
        switch parsed {
        case .value(let value): return value
        case .condition:
            throw syntaxError(
                "expected a value, found a condition", at: offset,
                suggestion: "Write TERNARY(condition, YES, NO) to make a value of a condition.")
        }
    }

    private func numberTooLargeError() -> PredicateSyntaxError {
        syntaxError(
            "the number doesn't fit into 64 bits",
            suggestion: "Write an exact decimal number as decimal(\"…\").")
    }
}

// MARK: - Primary expressions

extension PredicateParser {
    private mutating func primaryExpression() throws(PredicateSyntaxError) -> Parsed {
        switch token.kind {
        case .keyword(let keyword): return try primaryExpression(keyword)
        case .symbol(.open): return try parenthesis()
        case .symbol(.openBrace): return .value(try bracedList())
        case .name(let name):
            index += 1
            return .value(isAtCall ? try call(name) : try path(PropertyPath([name])))
        case .variable(let name):
            index += 1
            return .value(try path(PropertyPath([], of: name)))
        case .pathArgument: return .value(try path(PropertyPath(try pathArgument())))
        case .argument(let conversion): return .value(try argument(conversion))
        case .aggregate: return .value(try aggregate(over: .itself))
        default: return .value(.literal(try literal()))
        }
    }

    private mutating func literal() throws(PredicateSyntaxError) -> StoredValue {
        let value: StoredValue
        switch token.kind {
        case .integer(let magnitude):
            guard let number = Int64(exactly: magnitude) else { throw numberTooLargeError() }
            value = .int(number)
        case .double(let number): value = .double(number)
        case .string(let text): value = .string(text)
        default: throw unexpectedTokenError("a value")
        }
        index += 1
        return value
    }

    private mutating func primaryExpression(_ keyword: PredicateKeyword) throws(PredicateSyntaxError)
        -> Parsed
    {
        let start = index
        index += 1
        switch keyword {
        case .yes, .true: return .value(.literal(.bool(true)))
        case .no, .false: return .value(.literal(.bool(false)))
        case .nil, .null: return .value(.literal(.null))
        case .truePredicate: return .condition(.constant(true))
        case .falsePredicate: return .condition(.constant(false))
        case .itself: return .value(try path(.itself))
        case .subquery: return .value(try filteredAggregate())
        case .ternary: return .value(try ternary())
        case .cast: return .value(try cast())
        default:
            index = start
            let word = text(of: token)
            throw unexpectedTokenError("a value", suggestion: "Write a property of that name as #\(word).")
        }
    }

    private mutating func parenthesis() throws(PredicateSyntaxError) -> Parsed {
        try nested { parser throws(PredicateSyntaxError) in
            try parser.expect(.open)
            let inner = try parser.parse(.disjunction)
            try parser.expect(.close)
            return inner
        }
    }

    /// Parses `(condition, value, value)`.
    private mutating func ternary() throws(PredicateSyntaxError) -> FetchExpression {
        try nested { parser throws(PredicateSyntaxError) in
            try parser.expect(.open)
            let condition = try parser.condition(.disjunction)
            try parser.expect(.comma)
            let first = try parser.value()
            try parser.expect(.comma)
            let second = try parser.value()
            try parser.expect(.close)
            return .conditional(condition, then: first, else: second)
        }
    }
}

// MARK: - Lists

extension PredicateParser {
    /// Parses the right side of `IN`: a list in `{}` or `()`, a path or a placeholder.
    mutating func list() throws(PredicateSyntaxError) -> FetchExpression {
        guard isAtParenthesizedList else { return try value() }
        return try nested { parser throws(PredicateSyntaxError) in
            try parser.expect(.open)
            return try parser.list(from: parser.value(), to: .close)
        }
    }

    /// Whether the next token opens parentheses around more than one value.
    private var isAtParenthesizedList: Bool {
        guard isAt(.open) else { return false }
        var depth = 0
        for ahead in tokens[index...] {
            switch ahead.kind {
            case .symbol(.open), .symbol(.openBrace): depth += 1
            case .symbol(.close), .symbol(.closeBrace): depth -= 1
            case .symbol(.comma) where depth == 1: return true
            default: break
            }
            if depth == 0 { return false }
        }
        return false
    }

    /// Parses the right side of `BETWEEN`: a list in `{}`, or `a AND b`.
    mutating func bounds() throws(PredicateSyntaxError) -> FetchExpression {
        let first = try value()
        if case .list = first { return first }
        guard skip(.and) else {
            // A placeholder may stand for the list, and substitution may replace a variable with it.
            if case .path(let path) = first, path.variable != nil, path.names.isEmpty { return first }
            throw unexpectedTokenError("AND")
        }
        return .list([first, try value()])
    }

    private mutating func bracedList() throws(PredicateSyntaxError) -> FetchExpression {
        try nested { parser throws(PredicateSyntaxError) in
            try parser.expect(.openBrace)
            if parser.skip(.closeBrace) { return .list([]) }
            return try parser.list(from: parser.value(), to: .closeBrace)
        }
    }

    private mutating func list(
        from first: FetchExpression, to end: PredicateToken.Symbol
    ) throws(PredicateSyntaxError) -> FetchExpression {
        var members = [first]
        while skip(.comma) { members.append(try value()) }
        try expect(end)
        return .list(members)
    }
}
