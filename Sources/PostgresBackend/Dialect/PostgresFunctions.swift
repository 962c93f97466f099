#if Postgres
import ContextCore
import SQLStore

/// The functions of predicates that PostgreSQL works out as the evaluator in memory does.
enum PostgresFunctions {
    /// Spells a call; nil for what the server has no equal of.
    static func spelling(of function: SQLFunction, _ arguments: [SQLFragment]) -> SQLFragment? {
        switch function.name {
        case .text(let test): text(test, arguments[0], arguments[1])
        case .aggregate(let name): aggregate(name, function.type, arguments.first)
        case .written(.coalesce): "coalesce(\(arguments.joined()))"
        case .written(.concat): "(\(arguments.joined(by: " || ")))"
        case .convert(.integer) where function.type == .double(bits: 64): "(\(arguments[0]))::float8"
        default: nil
        }
    }

    private static func text(_ test: TextTest, _ text: SQLFragment, _ other: SQLFragment) -> SQLFragment {
        switch test {
        case .contains: "position(\(other) in \(text)) > 0"
        case .beginsWith: "starts_with(\(text), \(other))"
        case .endsWith: "right(\(text), length(\(other))) = \(other)"
        }
    }

    private static func aggregate(
        _ function: AggregateFunction, _ type: SQLType, _ argument: SQLFragment?
    ) -> SQLFragment? {
        guard let argument else { return function == .count ? "count(*)" : nil }
        return switch function {
        case .count: "count(\(argument))"
        case .sum: sum(type, argument)
        case .average: average(type, argument)
        case .minimum: isOrdered(type) ? "min(\(argument))" : nil
        case .maximum: isOrdered(type) ? "max(\(argument))" : nil
        }
    }

    /// The server adds 64-bit integers up to a number without bounds; one that doesn't fit is an error, as in memory.
    private static func sum(_ type: SQLType, _ argument: SQLFragment) -> SQLFragment {
        switch type {
        case .key, .integer: "coalesce(sum(\(argument)), 0)::int8"
        case .double: "coalesce(sum((\(argument))::float8), 0)"
        default: "coalesce(sum(\(argument)), 0)"
        }
    }

    private static func average(_ type: SQLType, _ argument: SQLFragment) -> SQLFragment {
        switch type {
        case .decimal, .anyDecimal: "avg(\(argument))"
        default: "avg((\(argument))::float8)"
        }
    }

    /// Whether the server has a least and a greatest value of a type; of truth values and UUIDs it has none.
    private static func isOrdered(_ type: SQLType) -> Bool {
        switch type {
        case .bool, .uuid, .data, .json: false
        case .key, .integer, .double, .decimal, .anyDecimal, .text, .date, .keys: true
        }
    }
}
#endif
