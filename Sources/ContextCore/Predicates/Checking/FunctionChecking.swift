/// Gives functions of values their types.
struct FunctionChecking {
    private let checker: PredicateChecker

    init(_ checker: PredicateChecker) { self.checker = checker }

    func check(
        _ function: FetchFunction, _ arguments: [ResolvedExpression], _ written: FetchExpression
    ) throws -> ResolvedExpression {
        switch function {
        case .now:
            return try make(function, arguments, 0, .date, isNullable: false, written)
        case .negate, .abs, .ceiling, .floor, .round:
            let type = try number(arguments, written)
            return try make(function, arguments, 1, type, written)
        case .modulo:
            guard arguments.count == 2 else { throw wrongCount(written) }
            let (left, right) = try checker.unified(arguments[0], arguments[1], written)
            return try make(
                function, [left, right], 2, try number([left], written), isNullable: true, written)
        case .lowercase, .uppercase, .trim:
            return try make(function, try texts(arguments, written), 1, .string, written)
        case .length:
            guard let type = arguments.first?.type, type == .string || type == .data else {
                throw PredicateChecker.refusal("“\(written)”: only text and data have a length.")
            }
            return try make(function, arguments, 1, .integer, written)
        case .concat:
            let texts = try texts(arguments, written)
            return ResolvedExpression(
                .function(.written(.concat), texts), type: .string,
                isNullable: texts.contains(where: \.isNullable))
        case .coalesce: return try coalesce(arguments, written)
        case .year, .month, .day, .hour, .minute, .second, .weekday:
            guard let moment = arguments.first.flatMap({ PredicateChecker.converted($0, to: .date) }) else {
                throw PredicateChecker.refusal("“\(written)”: only a moment has a \(function.rawValue).")
            }
            return try make(function, [moment] + arguments.dropFirst(), 1, .integer, written)
        }
    }

    private func make(
        _ function: FetchFunction, _ arguments: [ResolvedExpression], _ count: Int, _ type: ResolvedType,
        isNullable: Bool? = nil, _ written: FetchExpression
    ) throws -> ResolvedExpression {
        guard arguments.count == count else { throw wrongCount(written) }
        // What overflows is null.
        let canFail = function == .negate || function == .abs
        return ResolvedExpression(
            .function(.written(function), arguments), type: type,
            isNullable: isNullable ?? (canFail || arguments.contains(where: \.isNullable)))
    }

    private func coalesce(_ arguments: [ResolvedExpression], _ written: FetchExpression) throws
        -> ResolvedExpression
    {
        guard var result = arguments.first, arguments.count > 1 else { throw wrongCount(written) }
        for argument in arguments.dropFirst() { (result, _) = try checker.unified(result, argument, written) }
        let type = result.type
        let unified = try arguments.map { try checker.unified(result, $0, written).1 }
        guard unified.allSatisfy({ $0.type == type }) else {
            throw PredicateChecker.refusal("“\(written)”: the values are of different types.")
        }
        return ResolvedExpression(
            .function(.written(.coalesce), unified), type: type, isNullable: unified.allSatisfy(\.isNullable))
    }

    private func number(_ arguments: [ResolvedExpression], _ written: FetchExpression) throws -> ResolvedType
    {
        guard let type = arguments.first?.type, type.isNumber else {
            throw PredicateChecker.refusal("“\(written)” is about numbers.")
        }
        return type
    }

    private func texts(
        _ arguments: [ResolvedExpression], _ written: FetchExpression
    ) throws -> [ResolvedExpression] {
        try arguments.map { argument in
            guard let text = PredicateChecker.converted(argument, to: .string) else {
                throw PredicateChecker.refusal(
                    "“\(written)” is about text, not about \(argument.type.sentenceName).")
            }
            return text
        }
    }

    private func wrongCount(_ written: FetchExpression) -> StoreError {
        PredicateChecker.refusal("“\(written)” has the wrong number of arguments.")
    }
}
