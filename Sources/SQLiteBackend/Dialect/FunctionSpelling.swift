#if SQLite
import ContextCore
import SQLStore

/// Renders calls of predicate functions, which are built into SQLite or registered with each connection.
///
/// A function has a separate name for each type of number, because SQLite's values don't carry the type that they represent.
enum FunctionSpelling {
    /// The representation of a number in SQLite, which is a suffix of function names.
    enum Number: String, CaseIterable {
        case integer, double
        /// A decimal number as sortable text.
        case decimal

        init(_ type: SQLType) {
            switch type {
            case .double: self = .double
            case .decimal, .anyDecimal: self = .decimal
            default: self = .integer
            }
        }
    }

    /// The name of the row-gathering function.
    static let gather = "context_gather"
    /// The maximum number of arguments of a function with SQLite's default limits (<https://sqlite.org/limits.html>).
    static let maximumGatheredColumns = 100
    static let listedDouble = "context_listed_double"
    static let listedData = "context_listed_data"
    static let interval = "context_interval"
    static let scaledDecimal = "context_decimal"
    static let like = "context_like"
    static let matches = "context_matches"

    static func arithmetic(_ sign: ArithmeticOperator, _ number: Number) -> String {
        "context_\(word(sign))_\(number.rawValue)"
    }

    static func shift(_ sign: ArithmeticOperator) -> String { "context_\(word(sign))_seconds" }

    static func fetchFunction(_ function: FetchFunction, _ number: Number? = nil) -> String {
        "context_\(function.rawValue)" + (number.map { "_\($0.rawValue)" } ?? "")
    }

    static func fold(_ options: TextOptions) -> String { "context_fold_\(options.rawValue)" }

    static func aggregate(_ function: AggregateFunction, _ number: Number) -> String {
        "context_\(function.rawValue)_\(number.rawValue)"
    }

    static func scaledAggregate(_ function: AggregateFunction) -> String {
        "context_\(function.rawValue)_scaled"
    }

    private static func word(_ sign: ArithmeticOperator) -> String {
        switch sign {
        case .add: "add"
        case .subtract: "subtract"
        case .multiply: "multiply"
        case .divide: "divide"
        }
    }
}

// MARK: - Calls

extension FunctionSpelling {
    /// Renders a call, or returns nil for an unsupported function.
    static func spelling(of function: SQLFunction, _ arguments: [SQLFragment]) -> SQLFragment? {
        switch function.name {
        case .arithmetic(let sign): call(arithmetic(sign, Number(function.type)), arguments)
        case .shift(let sign, _): call(shift(sign), arguments)
        case .interval: call(interval, arguments)
        case .written(let written): spelling(of: written, function.type, arguments)
        case .fold(let options): call(fold(options), arguments)
        case .text(let test): text(test, arguments[0], arguments[1])
        case .like(let pattern): call(like, arguments + [constant(pattern.text)])
        case .matches(let expression):
            call(
                matches, arguments + [constant(expression.pattern), "\(number: expression.options.rawValue)"])
        // SQLite compares integers and doubles exactly as they are.
        case .comparable: arguments[0]
        case .convert(let type): conversion(from: type, to: function.type, arguments[0])
        case .aggregate(let name): aggregate(name, function.type, arguments)
        }
    }

    private static func call(_ name: String, _ arguments: [SQLFragment]) -> SQLFragment {
        "\(name: name)(\(arguments.joined()))"
    }

    private static func constant(_ text: String) -> SQLFragment { "\(.value(.string(text), .text))" }

    private static func spelling(
        of function: FetchFunction, _ type: SQLType, _ arguments: [SQLFragment]
    ) -> SQLFragment? {
        switch function {
        case .coalesce: arguments.count == 1 ? "(\(arguments[0]))" : "coalesce(\(arguments.joined()))"
        case .concat: "(\(arguments.joined(by: " || ")))"
        case .length: "length(\(arguments[0]))"
        case .negate, .abs, .ceiling, .floor, .round: call(fetchFunction(function, Number(type)), arguments)
        case .modulo, .lowercase, .uppercase, .trim, .year, .month, .day, .hour, .minute, .second, .weekday:
            call(fetchFunction(function), arguments)
        case .now: nil
        }
    }

    private static func conversion(from type: SQLType, to result: SQLType, _ value: SQLFragment)
        -> SQLFragment?
    {
        switch (type, result) {
        case (.integer, .double): "CAST(\(value) AS REAL)"
        case (.integer, .anyDecimal): "\(name: scaledDecimal)(\(value), 0)"
        case (.decimal(let precision, let scale), .anyDecimal):
            precision <= ScaledDecimal.maximumIntegerPrecision
                ? "\(name: scaledDecimal)(\(value), \(number: scale))" : value
        case (.anyDecimal, .anyDecimal): value
        default: nil
        }
    }

    private static func text(_ test: SubstringTest, _ text: SQLFragment, _ other: SQLFragment) -> SQLFragment
    {
        switch test {
        case .contains: "(instr(\(text), \(other)) > 0)"
        case .beginsWith: "(substr(\(text), 1, length(\(other))) = \(other))"
        case .endsWith: "(substr(\(text), 1 + length(\(text)) - length(\(other))) = \(other))"
        }
    }

    private static func aggregate(
        _ function: AggregateFunction, _ type: SQLType, _ arguments: [SQLFragment]
    ) -> SQLFragment? {
        guard let argument = arguments.first else { return function == .count ? "count(*)" : nil }
        switch function {
        case .count: return "count(\(argument))"
        case .minimum: return "min(\(argument))"
        case .maximum: return "max(\(argument))"
        case .sum, .average:
            if case .decimal(let precision, let scale) = type,
                precision <= ScaledDecimal.maximumIntegerPrecision
            {
                // Sums of integers are exact in any order.
                return "\(name: scaledAggregate(function))(\(argument), \(number: scale))"
            }
            return call(aggregate(function, Number(type)), arguments)
        }
    }
}
#endif
