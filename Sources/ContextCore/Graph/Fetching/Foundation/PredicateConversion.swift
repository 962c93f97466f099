import Foundation

/// A piece of Foundation's tree in our terms.
enum ConvertedPiece {
    case condition(FetchPredicate)
    case value(FetchExpression)
    /// Those of a relationship's objects that fulfil a condition.
    case filtered(PropertyPath, variable: String, FetchPredicate)
}

/// An expression of Foundation's that can be put in our terms.
protocol ConvertibleExpression {
    func piece(_ conversion: PredicateConversion) throws -> ConvertedPiece
}

/// Walks a tree of Foundation's, knowing what its variables stand for.
struct PredicateConversion {
    /// What variables stand for.
    var names: [PredicateExpressions.VariableID: FetchExpression] = [:]
    private var depth = 0

    /// Puts an expression in our terms.
    func piece<Expression: PredicateExpression>(_ expression: Expression) throws -> ConvertedPiece {
        guard let convertible = expression as? any ConvertibleExpression else {
            let name = String(describing: Expression.self).prefix { $0 != "<" }
            throw PredicateConversionError(String(name), "No store knows the like.")
        }
        return try convertible.piece(self)
    }

    /// Puts an expression in our terms as a condition.
    func condition<Expression: PredicateExpression>(_ expression: Expression) throws -> FetchPredicate {
        switch try piece(expression) {
        case .condition(let condition): condition
        case .value(.literal(.bool(let value))): .constant(value)
        case .value(let value): .comparing(value, .equal, .literal(.bool(true)))
        case .filtered(let path, _, _): throw PredicateConversionError("\(path)", "A list is no condition.")
        }
    }

    /// Puts an expression in our terms as a value.
    func value<Expression: PredicateExpression>(_ expression: Expression) throws -> FetchExpression {
        switch try piece(expression) {
        case .value(let value): value
        case .condition(let condition):
            .conditional(condition, then: .literal(.bool(true)), else: .literal(.bool(false)))
        case .filtered(let path, _, _): throw PredicateConversionError("\(path)", "A list is no value.")
        }
    }

    /// Puts an expression in our terms as a path.
    func path<Expression: PredicateExpression>(_ expression: Expression) throws -> PropertyPath {
        let value = try value(expression)
        if case .path(let path) = value { return path }
        throw PredicateConversionError(value.redactedDescription, "A relationship should stand here.")
    }

    /// The conversion of what is said about an element, and the element's variable.
    func entering(_ id: PredicateExpressions.VariableID) -> (variable: String, inner: PredicateConversion) {
        var inner = self
        inner.depth += 1
        let variable = "x\(inner.depth)"
        inner.names[id] = .path(PropertyPath([], of: variable))
        return (variable, inner)
    }

    /// Compares two expressions for equality.
    func equal<Left: PredicateExpression, Right: PredicateExpression>(
        _ left: Left, _ right: Right
    ) throws -> FetchPredicate {
        switch (try piece(left), try piece(right)) {
        // An optional chain that ends with a condition is unknown where the chain is broken.
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
