import Foundation

/// Parses functions, and the constants that look like functions.
extension PredicateParser {
    /// Whether the next token is `(`, or `:(` as in NSPredicate's format.
    var isAtCall: Bool {
        isAt(.open) || isAt(.colon) && tokens[index + 1].kind == .symbol(.open)
    }

    /// Parses the arguments after a function's name.
    mutating func call(_ name: String) throws(PredicateSyntaxError) -> FetchExpression {
        let start = tokens[index - 1].range.lowerBound
        _ = skip(.colon)
        let arguments = try nested { parser throws(PredicateSyntaxError) in
            try parser.callArguments()
        }
        if name.lowercased() == "object" { return try object(arguments, at: start) }
        if let type = PredicateConstant(rawValue: name.lowercased()) {
            guard let value = type.value(of: arguments) else {
                throw syntaxError(
                    "\(name)(…) has an invalid argument", at: start,
                    suggestion: "Write it as \(type.example).")
            }
            return .literal(value)
        }
        guard let function = FetchFunction(spelling: name) else {
            let names = FetchFunction.allCases.map(\.rawValue) + PredicateConstant.allCases.map(\.rawValue)
            let near = Spelling.nearest(to: name, among: names).map { "Did you mean \($0)?" }
            throw syntaxError("the function \(name) doesn't exist", at: start, suggestion: near)
        }
        guard function.arity.contains(arguments.count) else {
            throw syntaxError("\(name) takes \(function.arityText), not \(arguments.count)", at: start)
        }
        return .function(function, arguments)
    }

    private mutating func callArguments() throws(PredicateSyntaxError) -> [FetchExpression] {
        try expect(.open)
        if skip(.close) { return [] }
        var arguments = [try value()]
        while skip(.comma) { arguments.append(try value()) }
        try expect(.close)
        return arguments
    }

    private func object(
        _ arguments: [FetchExpression], at start: Int
    ) throws(PredicateSyntaxError) -> FetchExpression {
        guard arguments.count == 1, case .literal(.string(let uri)) = arguments[0],
            let id = ObjectID(uri: uri)
        else { throw syntaxError("object(…) takes the URI of an object, in quotes", at: start) }
        return .object(id)
    }

    /// Parses `("2026-08-01T12:00:00Z", "NSDate")`, NSPredicate's format for a date.
    mutating func cast() throws(PredicateSyntaxError) -> FetchExpression {
        let start = token.range.lowerBound
        let arguments = try nested { parser throws(PredicateSyntaxError) in
            try parser.callArguments()
        }
        if arguments.count == 2, arguments[1] == .literal(.string("NSDate")) {
            switch arguments[0] {
            case .literal(.string(let text)):
                if let microseconds = CivilTime.microseconds(of: text) {
                    return .literal(.timestamp(microseconds: microseconds))
                }
            case .literal(.double(let seconds)):
                return .literal(Date(timeIntervalSinceReferenceDate: seconds).storedValue)
            case .literal(.int(let seconds)):
                return .literal(Date(timeIntervalSinceReferenceDate: Double(seconds)).storedValue)
            default: break
            }
        }
        throw syntaxError(
            "CAST supports only dates", at: start,
            suggestion: "Write date(\"2026-08-01T12:00:00Z\").")
    }
}

/// A type of constant that is written as a function call; the raw value is the function's name.
enum PredicateConstant: String, CaseIterable {
    case date, uuid, decimal, data, double, composite

    /// An example of such a constant.
    var example: String {
        switch self {
        case .date: "date(\"2026-08-01T12:00:00Z\")"
        case .uuid: "uuid(\"5E0C9B8F-0000-4000-8000-000000000000\")"
        case .decimal: "decimal(\"12.50\")"
        case .data: "data(\"SGVsbG8=\"), in Base64"
        case .double: "double(\"inf\")"
        case .composite: "composite(1, \"a\")"
        }
    }

    /// Makes the constant from its arguments; nil if they are invalid.
    func value(of arguments: [FetchExpression]) -> StoredValue? {
        if self == .composite {
            let parts = arguments.compactMap { if case .literal(let value) = $0 { value } else { nil } }
            return parts.count == arguments.count ? .composite(parts) : nil
        }
        guard arguments.count == 1, case .literal(.string(let text)) = arguments[0] else { return nil }
        return value(of: text)
    }

    private func value(of text: String) -> StoredValue? {
        switch self {
        case .date: CivilTime.microseconds(of: text).map { .timestamp(microseconds: $0) }
        case .uuid: UUID(uuidString: text).map { .uuid($0) }
        case .decimal: Self.decimal(text).map { .decimal($0) }
        case .data: Data(base64Encoded: text).map { .data($0) }
        case .double: Double(text).flatMap { $0.isNaN ? nil : .double($0 == 0 ? 0 : $0) }
        case .composite: nil
        }
    }

    /// Parses a decimal number of at most 38 digits, such as "-12.50" or "1e6".
    ///
    /// Foundation alone would parse "12x" as 12, and would round longer numbers.
    static func decimal(_ text: String) -> Decimal? {
        let parts = text.lowercased().split(separator: "e", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count) else { return nil }
        let number = parts[0].drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
        let digits = number.joined()
        guard parts[0].count - digits.count <= 2, number.count <= 2,
            number.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(PredicateLexer.isDigit) }),
            digits.drop(while: { $0 == "0" }).count <= 38
        else { return nil }
        if parts.count == 2 {
            guard let exponent = Int(parts[1]), (-99...99).contains(exponent) else { return nil }
        }
        return Decimal(string: text)
    }
}

extension FetchFunction {
    /// Makes the function from its name or a synonym, in any case.
    init?(spelling: String) {
        let synonyms = ["lower": "lowercase", "upper": "uppercase", "ceil": "ceiling"]
        let name = spelling.lowercased()
        self.init(rawValue: synonyms[name] ?? name)
    }

    /// The permitted numbers of arguments.
    var arity: ClosedRange<Int> {
        switch self {
        case .now: 0...0
        case .modulo: 2...2
        case .concat, .coalesce: 1...100
        default: 1...1
        }
    }

    /// The permitted numbers of arguments in words.
    var arityText: String {
        switch arity {
        case 0...0: "no values"
        case 1...1: "one value"
        case 2...2: "two values"
        default: "one to a hundred values"
        }
    }
}
