/// Parses paths, collection operators, placeholders and the options of a comparison.
extension PredicateParser {
    /// Parses the rest of a path, with an optional collection operator.
    mutating func path(_ start: PropertyPath) throws(PredicateSyntaxError) -> FetchExpression {
        var path = start
        while isAt(.point) {
            if case .aggregate = tokens[index + 1].kind {
                index += 1
                return try aggregate(over: path)
            }
            path.names += try names()
        }
        return .path(path)
    }

    /// Parses a point and the name or placeholder after it.
    private mutating func names() throws(PredicateSyntaxError) -> [String] {
        try expect(.point)
        switch token.kind {
        case .name(let name):
            index += 1
            return [name]
        case .keyword:
            defer { index += 1 }
            return [text(of: token)]
        case .pathArgument: return try pathArgument()
        default: throw unexpectedTokenError("a property's name")
        }
    }

    /// Parses a collection operator such as `@sum` and the names after it.
    mutating func aggregate(
        over collection: PropertyPath, where filter: FetchAggregate.Filter? = nil
    ) throws(PredicateSyntaxError) -> FetchExpression {
        guard case .aggregate(let name) = token.kind else {
            throw unexpectedTokenError("@count, @sum, @avg, @min or @max")
        }
        guard let function = AggregateFunction(rawValue: name.lowercased()) else {
            let names = AggregateFunction.allCases.map(\.rawValue)
            let near = Spelling.nearest(to: name, among: names).map { "Did you mean @\($0)?" }
            throw syntaxError("@\(name) isn't a collection operator", suggestion: near)
        }
        index += 1
        var tail: [String] = []
        while isAt(.point) { tail += try names() }
        return .aggregate(FetchAggregate(function, of: collection, where: filter, tail: tail))
    }

    /// Parses the rest of an expression that starts with `SUBQUERY`.
    mutating func filteredAggregate() throws(PredicateSyntaxError) -> FetchExpression {
        let (path, variable, condition) = try subquery()
        guard skip(.point) else { throw unexpectedTokenError(".@count") }
        return try aggregate(over: path, where: .init(variable: variable, predicate: condition))
    }

    /// Parses `[c]`, `[d]` or `[cd]`; an empty set if there is no bracket.
    mutating func textOptions() throws(PredicateSyntaxError) -> TextOptions {
        guard skip(.openBracket) else { return [] }
        var options: TextOptions = []
        guard case .name(let letters) = token.kind else { throw unexpectedTokenError("c, d or cd") }
        for letter in letters.lowercased() {
            switch letter {
            case "c": options.insert(.caseInsensitive)
            case "d": options.insert(.diacriticInsensitive)
            case "n":
                throw syntaxError(
                    "[n] is not supported", suggestion: "Remove it. Strings are compared by their bytes.")
            case "l":
                throw syntaxError(
                    "[l] is not supported", suggestion: "Remove it. Results never depend on a locale.")
            default: throw syntaxError("[\(letter)] isn't an option", suggestion: "Use [c], [d] or [cd].")
            }
        }
        index += 1
        try expect(.closeBracket)
        return options
    }
}

// MARK: - Arguments

extension PredicateParser {
    /// Consumes `%@`, `%ld` or `%f` and returns its argument.
    mutating func argument(_ conversion: String) throws(PredicateSyntaxError) -> FetchExpression {
        let expression = try nextArgument()
        switch (conversion, expression) {
        case ("@", _), ("d", .literal(.int)), ("d", .literal(.bool)): break
        case ("f", .literal(.double)), ("f", .literal(.decimal)), ("f", .literal(.int)): break
        default:
            throw syntaxError(
                "\"\(text(of: token))\" needs a number, but argument \(usedArgumentCount) isn't one")
        }
        index += 1
        return expression
    }

    /// Consumes `%K` and returns the names of its argument.
    mutating func pathArgument() throws(PredicateSyntaxError) -> [String] {
        let names: [String]
        switch try nextArgument() {
        case .literal(.string(let text)): names = PropertyPath(text).names
        case .path(let path) where path.variable == nil: names = path.names
        default: throw syntaxError("%K needs a path, but argument \(usedArgumentCount) isn't one")
        }
        index += 1
        return names
    }

    private mutating func nextArgument() throws(PredicateSyntaxError) -> FetchExpression {
        guard usedArgumentCount < arguments.count else {
            throw syntaxError("the argument for \"\(text(of: token))\" is missing")
        }
        defer { usedArgumentCount += 1 }
        return arguments[usedArgumentCount].predicateExpression
    }
}
