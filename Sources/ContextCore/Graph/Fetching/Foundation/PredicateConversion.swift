import Foundation

/// The result of converting a part of a Foundation predicate.
enum ConvertedExpression {
    case condition(FetchPredicate)
    case value(FetchExpression)
    /// The objects of a relationship that satisfy a condition.
    case filtered(PropertyPath, variable: String, FetchPredicate)
}

/// A Foundation expression that can be converted.
protocol ConvertibleExpression {
    func convert(_ conversion: PredicateConversion) throws -> ConvertedExpression
}

/// Converts the expression tree of a Foundation predicate.
struct PredicateConversion {
    /// The expressions of the variables in scope.
    var names: [PredicateExpressions.VariableID: FetchExpression] = [:]
    private var depth = 0

    /// Converts an expression.
    func convert<Expression: PredicateExpression>(_ expression: Expression) throws -> ConvertedExpression {
        guard let convertible = expression as? any ConvertibleExpression else {
            let name = String(describing: Expression.self).prefix { $0 != "<" }
            throw PredicateConversionError(String(name), "The expression is not supported.")
        }
        return try convertible.convert(self)
    }

    /// Converts an expression to a condition.
    func condition<Expression: PredicateExpression>(_ expression: Expression) throws -> FetchPredicate {
        switch try convert(expression) {
        case .condition(let condition): condition
        case .value(.literal(.bool(let value))): .constant(value)
        case .value(let value): .comparing(value, .equal, .literal(.bool(true)))
        case .filtered(let path, _, _):
            throw PredicateConversionError(
                "\(path)", "A list of objects is not a condition; use isEmpty, count or contains.")
        }
    }

    /// Converts an expression to a value.
    func value<Expression: PredicateExpression>(_ expression: Expression) throws -> FetchExpression {
        switch try convert(expression) {
        case .value(let value): value
        case .condition(let condition):
            .conditional(condition, then: .literal(.bool(true)), else: .literal(.bool(false)))
        case .filtered(let path, _, _):
            throw PredicateConversionError("\(path)", "A list of objects is not a value; use count.")
        }
    }

    /// Converts an expression to a path.
    func path<Expression: PredicateExpression>(_ expression: Expression) throws -> PropertyPath {
        let value = try value(expression)
        if case .path(let path) = value { return path }
        throw PredicateConversionError(
            value.redactedDescription, "Only a relationship is supported in this position.")
    }

    /// Returns a conversion in which a new variable stands for an element, and the name of the variable.
    func bindingElement(_ id: PredicateExpressions.VariableID) -> (
        variable: String, inner: PredicateConversion
    ) {
        var inner = self
        inner.depth += 1
        let variable = "x\(inner.depth)"
        inner.names[id] = .path(PropertyPath([], of: variable))
        return (variable, inner)
    }

    /// Converts a comparison for equality.
    func equal<Left: PredicateExpression, Right: PredicateExpression>(
        _ left: Left, _ right: Right
    ) throws -> FetchPredicate {
        switch (try convert(left), try convert(right)) {
        // An optional chain that ends with a condition is unknown if a link of the chain is nil.
        case (.condition(let condition), .value(.literal(.bool(let answer)))),
            (.value(.literal(.bool(let answer))), .condition(let condition)):
            return .truth(condition, is: answer ? .true : .false)
        case (.condition(let condition), .value(.literal(.null))),
            (.value(.literal(.null)), .condition(let condition)):
            return .truth(condition, is: .unknown)
        default: return .comparing(try value(left), .equal, try value(right))
        }
    }
}
