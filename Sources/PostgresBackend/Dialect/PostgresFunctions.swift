#if Postgres
import ContextCore
import SQLStore

/// The functions of predicates that PostgreSQL works out as the evaluator in memory does.
enum PostgresFunctions {
    /// Spells a call; nil for what the server has no equal of.
    static func spelling(of function: SQLFunction, _ arguments: [SQLFragment]) -> SQLFragment? {
        switch function.name {
        case .text(let test): text(test, arguments[0], arguments[1])
        case .aggregate(let name): aggregate(name, function.type, arguments)
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
        _ function: AggregateFunction, _ type: SQLType, _ arguments: [SQLFragment]
    ) -> SQLFragment? {
        guard let argument = arguments.first else { return function == .count ? "count(*)" : nil }
        return switch function {
        case .count: "count(\(argument))"
        case .sum: sum(type, argument, sortedBy: arguments.dropFirst())
        case .average:
            "((\(total(type, argument, sortedBy: arguments.dropFirst())))::float8 / nullif(count(\(argument)), 0))"
        case .minimum: isOrdered(type) ? "min(\(argument))" : nil
        case .maximum: isOrdered(type) ? "max(\(argument))" : nil
        }
    }

    /// The server adds 64-bit integers up to a number without bounds; one that doesn't fit is an error.
    private static func sum(
        _ type: SQLType, _ argument: SQLFragment, sortedBy keys: ArraySlice<SQLFragment>
    ) -> SQLFragment {
        let total: SQLFragment = "coalesce(\(total(type, argument, sortedBy: keys)), 0)"
        switch type {
        case .key, .integer: return "\(total)::int8"
        default: return total
        }
    }

    /// Doubles are added one after the other, in an order; what is exact needs none.
    private static func total(
        _ type: SQLType, _ argument: SQLFragment, sortedBy keys: ArraySlice<SQLFragment>
    ) -> SQLFragment {
        guard case .double = type else { return "sum(\(argument))" }
        let order: SQLFragment = keys.isEmpty ? "" : " ORDER BY \(keys.joined())"
        return "sum((\(argument))::float8\(order))"
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
