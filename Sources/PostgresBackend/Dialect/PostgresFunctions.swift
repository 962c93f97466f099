#if Postgres
import ContextCore
import SQLStore

/// Spells the functions of predicates: the server's own where they answer as the evaluator in memory does, and those that each
/// store brings along.
enum PostgresFunctions {
    /// Spells a call; nil for what the server has no equal of.
    static func spelling(of function: SQLFunction, _ arguments: [SQLFragment]) -> SQLFragment? {
        switch function.name {
        case .arithmetic(let sign): call(word(sign), of: function.type, arguments)
        case .shift(let sign, let seconds):
            call(
                "\(word(sign))_seconds",
                ["(\(arguments[0]))::timestamptz", "(\(arguments[1]))::\(exact(seconds))"])
        case .interval: call("seconds", arguments, "timestamptz")
        case .written(let written): spelling(of: written, function.type, arguments)
        case .fold(let options): call("fold_\(options.rawValue)", arguments, "text")
        case .text(let test): text(test, arguments[0], arguments[1])
        case .like(let pattern): "(\(arguments[0]) LIKE \(constant(likeText(pattern))))"
        case .matches(let expression):
            AdvancedExpression(expression).map { "(\(arguments[0]) ~ \(constant($0.text)))" }
        case .comparable(let type): comparable(type, arguments[0])
        case .convert: conversion(to: function.type, arguments[0])
        case .aggregate(let name): aggregate(name, function.type, arguments)
        }
    }

    /// Calls a function of the store's with arguments of exactly the types that it takes: no other of its name fits better then.
    private static func call(
        _ name: String, _ arguments: [SQLFragment], _ type: SQLFragment
    ) -> SQLFragment {
        call(name, arguments.map { "(\($0))::\(type)" as SQLFragment })
    }

    private static func call(_ name: String, _ arguments: [SQLFragment]) -> SQLFragment {
        "\(stored: "_store_\(name)")(\(arguments.joined()))"
    }

    /// Calls a function of numbers.
    private static func call(_ name: String, of type: SQLType, _ arguments: [SQLFragment]) -> SQLFragment {
        call("\(name)_\(number(type))", arguments, exact(type))
    }

    /// The type that functions of numbers take.
    private static func exact(_ type: SQLType) -> SQLFragment {
        switch number(type) {
        case "double": "float8"
        case "decimal": "numeric"
        default: "int8"
        }
    }

    private static func constant(_ text: String) -> SQLFragment { "\(.value(.string(text), .text))" }

    /// What the names of functions of numbers end in.
    private static func number(_ type: SQLType) -> String {
        switch type {
        case .double: "double"
        case .decimal, .anyDecimal: "decimal"
        default: "integer"
        }
    }

    private static func word(_ sign: ArithmeticOperator) -> String {
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
        // Of two nulls the server could not tell that they are to be texts.
        case .concat: "(\(arguments.map { $0 == "NULL" ? "NULL::text" : $0 }.joined(by: " || ")))"
        case .length: "length(\(arguments[0]))::int8"
        case .trim: "btrim(\(arguments[0]), \(constant(ValueFunctions.whiteSpace)))"
        case .negate, .abs, .ceiling, .floor, .round: rounding(function, type, arguments)
        case .modulo: call("mod", arguments, "int8")
        case .lowercase, .uppercase: call(function.rawValue, arguments, "text")
        case .year: call("year", arguments, "timestamptz")
        case .month, .day, .hour, .minute: part(arguments[0], function)
        case .second: "floor(date_part('second', (\(arguments[0])) AT TIME ZONE 'UTC'))::int8"
        case .weekday: "(date_part('dow', (\(arguments[0])) AT TIME ZONE 'UTC')::int8 + 1)"
        case .now: nil
        }
    }

    private static func part(_ moment: SQLFragment, _ function: FetchFunction) -> SQLFragment? {
        let name: SQLFragment? =
            switch function {
            case .month: "'month'"
            case .day: "'day'"
            case .hour: "'hour'"
            case .minute: "'minute'"
            default: nil
            }
        return name.map { "date_part(\($0), (\(moment)) AT TIME ZONE 'UTC')::int8" }
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

    private static func text(_ test: TextTest, _ text: SQLFragment, _ other: SQLFragment) -> SQLFragment {
        switch test {
        case .contains: "(strpos(\(text), \(other)) > 0)"
        case .beginsWith: "starts_with(\(text), \(other))"
        case .endsWith: "(right(\(text), length(\(other))) = \(other))"
        }
    }

    /// A pattern in the server's words: `_` and `%` for `?` and `*`.
    static func likeText(_ pattern: LikePattern) -> String {
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

    /// Compared as doubles, integers would lose their last digits.
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

    /// A sum of integers or decimals is exact, and null where it doesn't fit; that of no values is 0.
    private static func sum(
        _ type: SQLType, _ argument: SQLFragment, sortedBy keys: ArraySlice<SQLFragment>
    ) -> SQLFragment {
        let total: SQLFragment = "coalesce(\(total(type, argument, sortedBy: keys)), 0)"
        return switch number(type) {
        case "double": "nullif(\(total), 'NaN')"
        case let number: call(number, [total], "numeric")
        }
    }

    /// Doubles are added one after the other, in an order; what is exact needs none.
    ///
    /// The server's own sum ends the statement when it becomes infinite, which those of 32 bits can't.
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
