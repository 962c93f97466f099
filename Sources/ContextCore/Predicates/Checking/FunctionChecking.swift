/// Resolves arithmetic and functions.
extension RequestChecker {
    /// Resolves an arithmetic operation, a concatenation or date arithmetic.
    func arithmetic(
        _ sign: ArithmeticOperator, _ left: Operand, _ right: Operand, _ source: FetchExpression
    ) throws -> ResolvedExpression {
        if let opaque = [left, right].first(where: \.isOpaque) { throw self.opaqueOperandError(opaque) }
        if let result = try dateArithmetic(sign, left, right) { return result }
        let operands = try unified([left, right], source)
        let type = operands[0].type
        if type == .string, sign == .add {
            return .function(.written(.concat), operands, type: .string)
        }
        guard type.isNumber || type == .null else {
            throw failure(source, "\(type.text(in: model)) can't be used in arithmetic.")
        }
        if type == .decimal, sign == .divide {
            throw failure(
                source, "decimal numbers can't be divided, because the quotient may be inexact.",
                remedy: "Multiply the other side of the comparison instead.")
        }
        return arithmeticExpression(sign, operands[0], operands[1], type: type)
    }

    private func arithmeticExpression(
        _ sign: ArithmeticOperator, _ left: ResolvedExpression, _ right: ResolvedExpression,
        type: ResolvedType
    ) -> ResolvedExpression {
        if let a = left.constant, let b = right.constant {
            return .constant(ValueArithmetic.apply(sign, a, b), type: type)
        }
        // Overflow produces null.
        return ResolvedExpression(.arithmetic(sign, left, right), type: type, isNullable: true)
    }

    /// Resolves date arithmetic: a date plus or minus seconds, or the seconds between two dates.
    ///
    /// - Returns: Nil if the operands are not dates in such a combination.
    private func dateArithmetic(
        _ sign: ArithmeticOperator, _ left: Operand, _ right: Operand
    ) throws -> ResolvedExpression? {
        switch (left.type, right.type, sign) {
        case (.date, .date, .subtract):
            return arithmeticExpression(sign, left.expression, right.expression, type: .double)
        case (.date, .integer, .add), (.date, .integer, .subtract), (.date, .double, .add),
            (.date, .double, .subtract):
            return arithmeticExpression(sign, left.expression, right.expression, type: .date)
        default: return nil
        }
    }

    /// Resolves a function call with resolved arguments.
    func call(
        _ function: FetchFunction, _ arguments: [Operand], _ source: FetchExpression
    ) throws -> ResolvedExpression {
        if let opaque = arguments.first(where: \.isOpaque) { throw self.opaqueOperandError(opaque) }
        guard function.arity.contains(arguments.count) else {
            throw failure(source, "\(function.rawValue) takes \(function.arityText).")
        }
        let expressions = arguments.map(\.expression)
        switch function {
        case .now: return .function(.written(.now), [], type: .date)
        case .coalesce:
            let members = try unified(arguments, source)
            return .function(
                .written(.coalesce), members, type: members[0].type,
                isNullable: members.allSatisfy(\.isNullable))
        case .negate, .abs:
            let type = try type(of: arguments[0], among: [.integer, .double, .decimal], source)
            return .function(.written(function), expressions, type: type, isNullable: true)
        case .ceiling, .floor, .round:
            let type = try type(of: arguments[0], among: [.integer, .double, .decimal], source)
            return .function(.written(function), expressions, type: type)
        case .modulo:
            for argument in arguments { _ = try type(of: argument, among: [.integer], source) }
            return .function(.written(.modulo), expressions, type: .integer, isNullable: true)
        case .lowercase, .uppercase, .trim, .concat:
            for argument in arguments { _ = try type(of: argument, among: [.string], source) }
            return .function(.written(function), expressions, type: .string)
        case .length:
            _ = try type(of: arguments[0], among: [.string, .data], source)
            return .function(.written(.length), expressions, type: .integer)
        case .year, .month, .day, .hour, .minute, .second, .weekday:
            _ = try type(of: arguments[0], among: [.date], source)
            return .function(.written(function), expressions, type: .integer)
        }
    }

    /// Returns the type of an argument, which must be null or one of the given types.
    private func type(
        of argument: Operand, among types: [ResolvedType], _ source: FetchExpression
    ) throws -> ResolvedType {
        guard argument.type == .null || types.contains(argument.type) else {
            let wanted = types.map { $0.text(in: model) }.joined(separator: " or ")
            throw failure(
                source,
                "“\(sourceText(of: argument.source))” is \(argument.type.text(in: model)), not \(wanted).")
        }
        return argument.type
    }

    /// Folds the case or diacritics of a string, as the options say.
    func folded(
        _ expression: ResolvedExpression, _ options: TextOptions, of source: FetchExpression
    ) throws -> ResolvedExpression {
        if options.isEmpty { return expression }
        guard expression.type == .string || expression.type == .null else {
            throw failure(
                source, "[c] and [d] apply to strings, but it is \(expression.type.text(in: model)).")
        }
        return .function(.fold(options), [expression], type: expression.type)
    }
}
