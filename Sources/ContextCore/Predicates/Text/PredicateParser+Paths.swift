/// Paths, collection operators, arguments and the options of a comparison.
extension PredicateParser {
    /// Reads the names, and perhaps the collection operator, that follow the beginning of a path.
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

    /// Reads a point and what it leads to.
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
        default: throw unexpected("a property's name")
        }
    }

    /// Reads `@sum` and the names that follow it.
    mutating func aggregate(
        over collection: PropertyPath, where filter: FetchAggregate.Filter? = nil
    ) throws(PredicateSyntaxError) -> FetchExpression {
        guard case .aggregate(let name) = token.kind else {
            throw unexpected("@count, @sum, @avg, @min or @max")
        }
        guard let function = AggregateFunction(rawValue: name.lowercased()) else {
            let names = AggregateFunction.allCases.map(\.rawValue)
            let near = Spelling.nearest(to: name, among: names).map { "Did you mean @\($0)?" }
            throw fail("@\(name) is no collection operator", suggestion: near)
        }
        index += 1
        var tail: [String] = []
        while isAt(.point) { tail += try names() }
        return .aggregate(FetchAggregate(function, of: collection, where: filter, tail: tail))
    }

    /// Reads what follows `SUBQUERY`.
    mutating func filteredAggregate() throws(PredicateSyntaxError) -> FetchExpression {
        let (path, variable, condition) = try subquery()
        guard skip(.point) else { throw unexpected(".@count") }
        return try aggregate(over: path, where: .init(variable: variable, predicate: condition))
    }

    /// Reads `[c]`, `[d]` or `[cd]`.
    mutating func textOptions() throws(PredicateSyntaxError) -> TextOptions {
        guard skip(.openBracket) else { return [] }
        var options: TextOptions = []
        guard case .name(let letters) = token.kind else { throw unexpected("c, d or cd") }
        for letter in letters.lowercased() {
            switch letter {
            case "c": options.insert(.caseInsensitive)
            case "d": options.insert(.diacriticInsensitive)
            case "n":
                throw fail("[n] is not needed", suggestion: "Text is compared by its bytes without it.")
            case "l":
                throw fail("[l] is not supported", suggestion: "No store's answer may hang on a locale.")
            default: throw fail("[\(letter)] is no option", suggestion: "There are [c], [d] and [cd].")
            }
        }
        index += 1
        try expect(.closeBracket)
        return options
    }
}

// MARK: - Arguments

extension PredicateParser {
    /// Takes the value for `%@`, `%ld` or `%f`.
    mutating func argument(_ conversion: String) throws(PredicateSyntaxError) -> FetchExpression {
        let expression = try nextArgument()
        switch (conversion, expression) {
        case ("@", _), ("d", .literal(.int)), ("d", .literal(.bool)): break
        case ("f", .literal(.double)), ("f", .literal(.decimal)), ("f", .literal(.int)): break
        default:
            throw fail("value \(usedArguments) is no number, as \"\(text(of: token))\" asks for")
        }
        index += 1
        return expression
    }

    /// Takes the names for `%K`.
    mutating func pathArgument() throws(PredicateSyntaxError) -> [String] {
        let names: [String]
        switch try nextArgument() {
        case .literal(.string(let text)): names = PropertyPath(text).names
        case .path(let path) where path.variable == nil: names = path.names
        default: throw fail("value \(usedArguments) is no path, as %K asks for")
        }
        index += 1
        return names
    }

    private mutating func nextArgument() throws(PredicateSyntaxError) -> FetchExpression {
        guard usedArguments < arguments.count else {
            throw fail("no value was given for \"\(text(of: token))\"")
        }
        defer { usedArguments += 1 }
        return arguments[usedArguments].predicateExpression
    }
}
