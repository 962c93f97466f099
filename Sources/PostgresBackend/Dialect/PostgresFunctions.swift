#if Postgres
import ContextCore
import SQLStore

/// Translates the functions of predicates to SQL: to the server's functions if they have the same results as the evaluator in memory,
/// otherwise to the store's.
enum PostgresFunctions {
    /// Returns the SQL of a function call; nil if there is no equivalent.
    static func spelling(of function: SQLFunction, _ arguments: [SQLFragment]) -> SQLFragment? {
        switch function.name {
        case .arithmetic(let sign): call(operatorName(sign), of: function.type, arguments)
        case .shift(let sign, let seconds):
            call(
                "\(operatorName(sign))_seconds",
                ["(\(arguments[0]))::timestamptz", "(\(arguments[1]))::\(parameterType(seconds))"])
        case .interval: call("seconds", arguments, "timestamptz")
        case .written(let written): spelling(of: written, function.type, arguments)
        case .fold(let options): call("fold_\(options.rawValue)", arguments, "text")
        case .text(let test): text(test, arguments[0], arguments[1])
        case .like(let pattern): "(\(arguments[0]) LIKE \(constant(likePatternText(pattern))))"
        case .matches(let expression):
            AdvancedRegularExpression(expression).map { "(\(arguments[0]) ~ \(constant($0.text)))" }
        case .comparable(let type): comparable(type, arguments[0])
        case .convert: conversion(to: function.type, arguments[0])
        case .aggregate(let name): aggregate(name, function.type, arguments)
        }
    }

    /// Returns a call of a store's function with arguments cast to its parameter types, so that no overload fits better.
    private static func call(
        _ name: String, _ arguments: [SQLFragment], _ type: SQLFragment
    ) -> SQLFragment {
        call(name, arguments.map { "(\($0))::\(type)" as SQLFragment })
    }

    private static func call(_ name: String, _ arguments: [SQLFragment]) -> SQLFragment {
        "\(stored: "_store_\(name)")(\(arguments.joined()))"
    }

    /// Returns a call of the variant of a function for a type of number.
    private static func call(_ name: String, of type: SQLType, _ arguments: [SQLFragment]) -> SQLFragment {
        call("\(name)_\(number(type))", arguments, parameterType(type))
    }

    /// Returns the SQL type of the parameters of functions of numbers.
    private static func parameterType(_ type: SQLType) -> SQLFragment {
        switch number(type) {
        case "double": "float8"
        case "decimal": "numeric"
        default: "int8"
        }
    }

    private static func constant(_ text: String) -> SQLFragment { "\(.value(.string(text), .text))" }

    /// Returns the suffix in the names of functions of numbers.
    private static func number(_ type: SQLType) -> String {
        switch type {
        case .double: "double"
        case .decimal, .anyDecimal: "decimal"
        default: "integer"
        }
    }

    private static func operatorName(_ sign: ArithmeticOperator) -> String {
        switch sign {
        case .add: "add"
        case .subtract: "subtract"
        case .multiply: "multiply"
        case .divide: "divide"
        }
    }

    // MARK: Functions of predicates

    private static func spelling(
        of function: FetchFunction, _ type: SQLType, _ arguments: [SQLFragment]
    ) -> SQLFragment? {
        switch function {
        case .coalesce: "coalesce(\(arguments.joined()))"
        // The server can't infer the type of two nulls.
        case .concat: "(\(arguments.map { $0 == "NULL" ? "NULL::text" : $0 }.joined(by: " || ")))"
        case .length: "length(\(arguments[0]))::int8"
        case .trim: "btrim(\(arguments[0]), \(constant(ValueFunctions.whiteSpace)))"
        case .negate, .abs, .ceiling, .floor, .round: rounding(function, type, arguments)
        case .modulo: call("mod", arguments, "int8")
        case .lowercase, .uppercase: call(function.rawValue, arguments, "text")
        case .year: call("year", arguments, "timestamptz")
        case .month, .day, .hour, .minute: datePart(arguments[0], function)
        case .second: "floor(date_part('second', (\(arguments[0])) AT TIME ZONE 'UTC'))::int8"
        case .weekday: "(date_part('dow', (\(arguments[0])) AT TIME ZONE 'UTC')::int8 + 1)"
        case .now: nil
        }
    }

    private static func datePart(_ timestamp: SQLFragment, _ function: FetchFunction) -> SQLFragment? {
        let name: SQLFragment? =
            switch function {
            case .month: "'month'"
            case .day: "'day'"
            case .hour: "'hour'"
            case .minute: "'minute'"
            default: nil
            }
        return name.map { "date_part(\($0), (\(timestamp)) AT TIME ZONE 'UTC')::int8" }
    }

    private static func rounding(
        _ function: FetchFunction, _ type: SQLType, _ arguments: [SQLFragment]
    ) -> SQLFragment? {
        switch (number(type), function) {
        case ("decimal", .negate): "(- (\(arguments[0])))"
        case ("decimal", .abs): "abs(\(arguments[0]))"
        case ("decimal", .ceiling): "ceil(\(arguments[0]))"
        case ("decimal", .floor): "floor(\(arguments[0]))"
        case ("decimal", .round): "round(\(arguments[0]))"
        case ("integer", .ceiling), ("integer", .floor), ("integer", .round): "(\(arguments[0]))::int8"
        case (_, _): call(function.rawValue, of: type, arguments)
        }
    }

    private static func text(_ test: SubstringTest, _ text: SQLFragment, _ other: SQLFragment) -> SQLFragment
    {
        switch test {
        case .contains: "(strpos(\(text), \(other)) > 0)"
        case .beginsWith: "starts_with(\(text), \(other))"
        case .endsWith: "(right(\(text), length(\(other))) = \(other))"
        }
    }

    /// Returns a `LIKE` pattern in SQL, with `_` and `%` for `?` and `*`.
    static func likePatternText(_ pattern: LikePattern) -> String {
        var bytes: [UInt8] = []
        for piece in pattern.pieces {
            switch piece {
            case .anyScalar: bytes.append(UInt8(ascii: "_"))
            case .anyText: bytes.append(UInt8(ascii: "%"))
            case .text(let literal):
                for byte in literal {
                    if byte == UInt8(ascii: "_") || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\") {
                        bytes.append(UInt8(ascii: "\\"))
                    }
                    bytes.append(byte)
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: Numbers

    /// Returns a value in a form that compares exactly with other types of numbers; comparing as doubles would round large integers.
    private static func comparable(_ type: SQLType, _ value: SQLFragment) -> SQLFragment {
        if case .double = type { call("comparable", [value], "float8") } else { "(\(value))::numeric" }
    }

    private static func conversion(to type: SQLType, _ value: SQLFragment) -> SQLFragment? {
        switch type {
        case .double: "(\(value))::float8"
        case .anyDecimal: "(\(value))::numeric"
        default: nil
        }
    }

    // MARK: Aggregates

    private static func aggregate(
        _ function: AggregateFunction, _ type: SQLType, _ arguments: [SQLFragment]
    ) -> SQLFragment? {
        guard let argument = arguments.first else { return function == .count ? "count(*)" : nil }
        let keys = arguments.dropFirst()
        return switch function {
        case .count: "count(\(argument))"
        case .minimum: "min(\(argument))"
        case .maximum: "max(\(argument))"
        case .sum: sum(type, argument, sortedBy: keys)
        case .average:
            call("divide_double", [total(type, argument, sortedBy: keys), "count(\(argument))"], "float8")
        }
    }

    /// Returns a sum, which is 0 without values.
    ///
    /// A sum of integers or decimals isn't rounded, and is null if it doesn't fit.
    private static func sum(
        _ type: SQLType, _ argument: SQLFragment, sortedBy keys: ArraySlice<SQLFragment>
    ) -> SQLFragment {
        let total: SQLFragment = "coalesce(\(total(type, argument, sortedBy: keys)), 0)"
        return switch number(type) {
        case "double": "nullif(\(total), 'NaN')"
        case let number: call(number, [total], "numeric")
        }
    }

    /// Returns a sum that may be null; doubles are added in a defined order, and other numbers need none.
    ///
    /// The server's `sum` raises an error if it becomes infinite, which sums of 32-bit numbers can't.
    private static func total(
        _ type: SQLType, _ argument: SQLFragment, sortedBy keys: ArraySlice<SQLFragment>
    ) -> SQLFragment {
        guard case .double(let bits) = type else { return "sum(\(argument))" }
        let order: SQLFragment = keys.isEmpty ? "" : " ORDER BY \(keys.joined())"
        return bits == 32
            ? "sum((\(argument))::float8\(order))" : "\(stored: "_store_sum")((\(argument))::float8\(order))"
    }
}
#endif
