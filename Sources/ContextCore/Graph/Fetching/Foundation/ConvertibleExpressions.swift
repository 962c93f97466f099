import Foundation

extension PredicateExpressions.Variable: ConvertibleExpression {
    func convert(_ conversion: PredicateConversion) throws -> ConvertedExpression {
        guard let expression = conversion.names[key] else {
            throw PredicateConversionError("Variable", "The variable is not defined.")
        }
        return .value(expression)
    }
}

extension PredicateExpressions.Value: ConvertibleExpression {
    func convert(_ conversion: PredicateConversion) throws -> ConvertedExpression {
        guard let argument = value as? any PredicateArgument else {
            throw PredicateConversionError("\(Output.self)", "Attributes can't have a value of this type.")
        }
        return .value(argument.predicateExpression)
    }
}

extension PredicateExpressions.NilLiteral: ConvertibleExpression {
    func convert(_ conversion: PredicateConversion) throws -> ConvertedExpression { .value(.literal(.null)) }
}

// MARK: - Conditions

extension PredicateExpressions.Equal: ConvertibleExpression {
    func convert(_ conversion: PredicateConversion) throws -> ConvertedExpression {
        .condition(try conversion.equal(lhs, rhs))
    }
}

extension PredicateExpressions.NotEqual: ConvertibleExpression {
    func convert(_ conversion: PredicateConversion) throws -> ConvertedExpression {
        switch try conversion.equal(lhs, rhs) {
        case .comparison(var comparison):
            comparison.operator = .notEqual
            return .condition(.comparison(comparison))
        case let other: return .condition(.not(other))
        }
    }
}

extension PredicateExpressions.Comparison: ConvertibleExpression {
    func convert(_ conversion: PredicateConversion) throws -> ConvertedExpression {
        let sign: ComparisonOperator =
            switch op {
            case .lessThan: .less
            case .lessThanOrEqual: .lessOrEqual
            case .greaterThan: .greater
            case .greaterThanOrEqual: .greaterOrEqual
            @unknown default: throw PredicateConversionError("\(op)", "The operator is not supported.")
            }
        return .condition(.comparing(try conversion.value(lhs), sign, try conversion.value(rhs)))
    }
}

extension PredicateExpressions.Conjunction: ConvertibleExpression {
    func convert(_ conversion: PredicateConversion) throws -> ConvertedExpression {
        .condition(try conversion.condition(lhs) && conversion.condition(rhs))
    }
}

extension PredicateExpressions.Disjunction: ConvertibleExpression {
    func convert(_ conversion: PredicateConversion) throws -> ConvertedExpression {
        .condition(try conversion.condition(lhs) || conversion.condition(rhs))
    }
}

extension PredicateExpressions.Negation: ConvertibleExpression {
    func convert(_ conversion: PredicateConversion) throws -> ConvertedExpression {
        .condition(.not(try conversion.condition(wrapped)))
    }
}

extension PredicateExpressions.TypeCheck: ConvertibleExpression {
    func convert(_ conversion: PredicateConversion) throws -> ConvertedExpression {
        guard let wanted = Desired.self as? ManagedObject.Type else {
            throw PredicateConversionError(
                "is \(Desired.self)", "Only subclasses of ManagedObject are supported.")
        }
        return .condition(.isEntity(try conversion.path(input), name: wanted.entityName))
    }
}

// MARK: - Values

extension PredicateExpressions.Conditional: ConvertibleExpression {
    func convert(_ conversion: PredicateConversion) throws -> ConvertedExpression {
        .value(
            .conditional(
                try conversion.condition(test), then: try conversion.value(trueBranch),
                else: try conversion.value(falseBranch)))
    }
}

extension PredicateExpressions.NilCoalesce: ConvertibleExpression {
    func convert(_ conversion: PredicateConversion) throws -> ConvertedExpression {
        let right = try conversion.value(rhs)
        switch (try conversion.convert(lhs), right) {
        // An unknown condition counts as the value on the right.
        case (.condition(let condition), .literal(.bool(let value))):
            return .condition(value ? .not(.truth(condition, is: .false)) : .truth(condition, is: .true))
        case (.value(let left), _): return .value(.function(.coalesce, [left, right]))
        default: throw PredicateConversionError("??", "After a condition, only true or false is supported.")
        }
    }
}

extension PredicateExpressions.OptionalFlatMap: ConvertibleExpression {
    func convert(_ conversion: PredicateConversion) throws -> ConvertedExpression {
        var inner = conversion
        inner.names[variable.key] = try conversion.value(wrapped)
        return try inner.convert(transform)
    }
}

extension PredicateExpressions.ForcedUnwrap: ConvertibleExpression {
    func convert(_ conversion: PredicateConversion) throws -> ConvertedExpression {
        try conversion.convert(inner)
    }
}

extension PredicateExpressions.Arithmetic: ConvertibleExpression {
    func convert(_ conversion: PredicateConversion) throws -> ConvertedExpression {
        let sign: ArithmeticOperator =
            switch op {
            case .add: .add
            case .subtract: .subtract
            case .multiply: .multiply
            @unknown default: throw PredicateConversionError("\(op)", "The operator is not supported.")
            }
        return .value(.arithmetic(sign, try conversion.value(lhs), try conversion.value(rhs)))
    }
}

extension PredicateExpressions.UnaryMinus: ConvertibleExpression {
    func convert(_ conversion: PredicateConversion) throws -> ConvertedExpression {
        .value(.function(.negate, [try conversion.value(wrapped)]))
    }
}

extension PredicateExpressions.FloatDivision: ConvertibleExpression {
    func convert(_ conversion: PredicateConversion) throws -> ConvertedExpression {
        .value(.arithmetic(.divide, try conversion.value(lhs), try conversion.value(rhs)))
    }
}

extension PredicateExpressions.IntDivision: ConvertibleExpression {
    func convert(_ conversion: PredicateConversion) throws -> ConvertedExpression {
        .value(.arithmetic(.divide, try conversion.value(lhs), try conversion.value(rhs)))
    }
}

extension PredicateExpressions.IntRemainder: ConvertibleExpression {
    func convert(_ conversion: PredicateConversion) throws -> ConvertedExpression {
        .value(.function(.modulo, [try conversion.value(lhs), try conversion.value(rhs)]))
    }
}
