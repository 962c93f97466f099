import Foundation

/// An expression of a migration that computes an attribute from values of the older model.
///
/// The database computes the expression's *inputs*. The library does the arithmetic for decimal and floating-point attributes, so
/// that its results are the same on every database: with exact fractions for decimals, with doubles for floating-point
/// attributes. `cents / 100` is 8395.78 for a decimal attribute, whereas the division of integers in a predicate truncates.
package struct Conversion: Sendable {
    fileprivate indirect enum Node: Sendable {
        case constant(StoredValue)
        /// A value that the database computes, by its index in the inputs.
        case input(Int)
        case arithmetic(ArithmeticOperator, Node, Node)
        /// One of ``Conversion/functions``.
        case function(FetchFunction, [Node])
        /// A conditional whose input is 1 if the condition is true, and 0 otherwise.
        case conditional(input: Int, then: Node, else: Node)
    }

    /// The numeric functions that the library computes.
    fileprivate static let functions: Set<FetchFunction> = [
        .negate, .abs, .ceiling, .floor, .round, .modulo, .coalesce,
    ]

    /// The expressions that the database computes.
    package private(set) var inputs: [ResolvedExpression] = []
    private let target: AttributeType
    private var root = Node.constant(.null)

    /// Checks an expression against the older entity.
    ///
    /// - Throws: ``StoreError`` that names the invalid part of the expression and the reason.
    package init(_ source: FetchExpression, to target: AttributeType, _ checker: RequestChecker) throws {
        self.target = target
        root =
            if target.isFractional, let numeric = try numericNode(source, checker) {
                numeric
            } else {
                .input(try append(source, checker))
            }
    }

    private mutating func append(_ source: FetchExpression, _ checker: RequestChecker) throws -> Int {
        inputs.append(try checker.expression(source))
        return inputs.count - 1
    }

    /// Returns the node of a numeric expression; nil if the expression isn't numeric, so that the database computes it as a whole.
    private mutating func numericNode(_ source: FetchExpression, _ checker: RequestChecker) throws -> Node? {
        let before = inputs
        switch source {
        case .literal(let value) where ResolvedType(value)?.isNumber ?? false: return .constant(value)
        case .arithmetic(let sign, let left, let right):
            if let left = try numericNode(left, checker), let right = try numericNode(right, checker) {
                return .arithmetic(sign, left, right)
            }
        case .function(let function, let arguments)
        where Self.functions.contains(function) && function.arity.contains(arguments.count):
            let nodes = try arguments.compactMap { try numericNode($0, checker) }
            if nodes.count == arguments.count { return .function(function, nodes) }
        case .conditional(let test, then: let first, else: let second):
            let flag = FetchExpression.conditional(test, then: .literal(.int(1)), else: .literal(.int(0)))
            let input = try append(flag, checker)
            if let first = try numericNode(first, checker), let second = try numericNode(second, checker) {
                return .conditional(input: input, then: first, else: second)
            }
        default:
            let input = try append(source, checker)
            if inputs[input].type.isNumber || inputs[input].type == .null { return .input(input) }
        }
        inputs = before
        return nil
    }
}

// MARK: - Values

extension Conversion {
    /// Computes the value of the attribute for one object.
    ///
    /// - Parameter answers: The values of the inputs from the database.
    package func value(of inputValues: [StoredValue]) throws(ConversionProblem) -> StoredValue {
        let value: StoredValue
        switch (root, target) {
        case (.input(let index), _): value = inputValues[index]
        case (_, .decimal(_, let scale)):
            guard let fraction = try fraction(root, inputValues) else { return .null }
            guard let number = fraction.decimal(scale: scale) else { throw .remainder }
            value = .decimal(number)
        default:
            guard let number = try floatingPoint(root, inputValues) else { return .null }
            guard number.isFinite else { throw .unrepresentable }
            value = .double(number == 0 ? 0 : number)
        }
        guard let kept = value.converted(to: target) else {
            throw value.isNumber && target.isFractional ? value.problem(in: target) : .unrepresentable
        }
        return kept
    }

    private func fraction(
        _ node: Node, _ inputValues: [StoredValue]
    ) throws(ConversionProblem) -> ExactFraction? {
        switch node {
        case .constant(let value): return try value.fraction
        case .input(let index): return try inputValues[index].fraction
        case .arithmetic(let sign, let left, let right):
            guard let left = try fraction(left, inputValues), let right = try fraction(right, inputValues)
            else {
                return nil
            }
            return try ExactFraction.result(sign, left, right)
        case .function(.coalesce, let nodes):
            for node in nodes { if let value = try fraction(node, inputValues) { return value } }
            return nil
        case .function(.modulo, let nodes):
            guard let left = try fraction(nodes[0], inputValues),
                let right = try fraction(nodes[1], inputValues)
            else { return nil }
            return try ExactFraction.remainder(of: left, dividedBy: right)
        case .function(let function, let nodes):
            guard let value = try fraction(nodes[0], inputValues) else { return nil }
            guard let result = value.applying(function) else { throw .digits }
            return result
        case .conditional(let input, then: let first, else: let second):
            return try fraction(inputValues[input] == .int(1) ? first : second, inputValues)
        }
    }

    private func floatingPoint(
        _ node: Node, _ inputValues: [StoredValue]
    ) throws(ConversionProblem) -> Double? {
        switch node {
        case .constant(let value): return value.floatingPoint
        case .input(let index): return inputValues[index].floatingPoint
        case .arithmetic(let sign, let left, let right):
            guard let left = try floatingPoint(left, inputValues),
                let right = try floatingPoint(right, inputValues)
            else { return nil }
            return try Double.result(sign, left, right)
        case .function(.coalesce, let nodes):
            for node in nodes { if let value = try floatingPoint(node, inputValues) { return value } }
            return nil
        case .function(.modulo, let nodes):
            guard let left = try floatingPoint(nodes[0], inputValues),
                let right = try floatingPoint(nodes[1], inputValues)
            else { return nil }
            if right == 0 { throw .divisionByZero }
            return left.truncatingRemainder(dividingBy: right)
        case .function(let function, let nodes):
            return try floatingPoint(nodes[0], inputValues).map { $0.applying(function) }
        case .conditional(let input, then: let first, else: let second):
            return try floatingPoint(inputValues[input] == .int(1) ? first : second, inputValues)
        }
    }
}

extension AttributeType {
    fileprivate var isFractional: Bool {
        switch self {
        case .decimal, .double, .float: true
        default: false
        }
    }
}

extension StoredValue {
    fileprivate var isNumber: Bool { ResolvedType(self)?.isNumber ?? false }

    /// The exact value of a number, for a double that of its shortest decimal text; nil for null.
    fileprivate var fraction: ExactFraction? {
        get throws(ConversionProblem) {
            if isNull { return nil }
            guard case .decimal(let number)? = ConvertedConstant(self, to: .decimal, attribute: nil)?.exact,
                let fraction = ExactFraction(number)
            else { throw .unrepresentable }
            return fraction
        }
    }

    fileprivate var floatingPoint: Double? {
        switch self {
        case .int(let number): Double(number)
        case .double(let number): number
        case .decimal(let number): Double(number.description)
        default: nil
        }
    }

    /// Returns the reason why a number doesn't fit an attribute: too many fractional digits, or too large.
    fileprivate func problem(in target: AttributeType) -> ConversionProblem {
        guard case .decimal(_, let scale) = target, let fraction = try? fraction else {
            return .unrepresentable
        }
        return fraction.decimal(scale: scale) == nil ? .remainder : .unrepresentable
    }
}

extension ExactFraction {
    fileprivate static func result(
        _ sign: ArithmeticOperator, _ left: ExactFraction, _ right: ExactFraction
    ) throws(ConversionProblem) -> ExactFraction {
        if sign == .divide, right.isZero { throw .divisionByZero }
        let result: ExactFraction? =
            switch sign {
            case .add: sum(left, right)
            case .subtract: sum(left, right.negated)
            case .multiply: product(left, right)
            case .divide: quotient(left, right)
            }
        guard let result else { throw .digits }
        return result
    }

    fileprivate static func remainder(
        of left: ExactFraction, dividedBy right: ExactFraction
    ) throws(ConversionProblem) -> ExactFraction {
        if right.isZero { throw .divisionByZero }
        guard let result = remainder(left, right) else { throw .digits }
        return result
    }

    fileprivate func applying(_ function: FetchFunction) -> ExactFraction? {
        switch function {
        case .negate: negated
        case .abs: magnitude
        case .ceiling: rounded(.up)
        case .floor: rounded(.down)
        default: rounded(.toNearestOrAwayFromZero)
        }
    }
}

extension Double {
    fileprivate static func result(
        _ sign: ArithmeticOperator, _ left: Double, _ right: Double
    ) throws(ConversionProblem) -> Double {
        if sign == .divide, right == 0 { throw .divisionByZero }
        return switch sign {
        case .add: left + right
        case .subtract: left - right
        case .multiply: left * right
        case .divide: left / right
        }
    }

    fileprivate func applying(_ function: FetchFunction) -> Double {
        switch function {
        case .negate: -self
        case .abs: magnitude
        case .ceiling: rounded(.up)
        case .floor: rounded(.down)
        default: rounded(.toNearestOrAwayFromZero)
        }
    }
}
