#if SQLite
import CSQLite
import ContextCore
import SQLStore

/// The functions of predicates in SQLite: those that it has, and those that are registered with each connection.
///
/// What is registered calls the same Swift code as the evaluator in memory, so that both give the same answers.
enum SQLiteFunctions {
    /// Spells a call.
    static func spelling(of function: SQLFunction, _ arguments: [SQLFragment]) -> SQLFragment? {
        switch function.name {
        case .text(let test): text(test, arguments[0], arguments[1])
        case .aggregate(let name): aggregate(name, function.type, arguments.first)
        case .written(.coalesce): "coalesce(\(arguments.joined()))"
        case .written(.concat): "(\(arguments.joined(by: " || ")))"
        case .written(.length): "length(\(arguments[0]))"
        case .convert(.integer) where function.type == .double(bits: 64): "CAST(\(arguments[0]) AS REAL)"
        default: nil
        }
    }

    private static func text(_ test: TextTest, _ text: SQLFragment, _ other: SQLFragment) -> SQLFragment {
        switch test {
        case .contains: "instr(\(text), \(other)) > 0"
        case .beginsWith: "substr(\(text), 1, length(\(other))) = \(other)"
        case .endsWith: "substr(\(text), 1 + length(\(text)) - length(\(other))) = \(other)"
        }
    }

    private static func aggregate(
        _ function: AggregateFunction, _ type: SQLType, _ argument: SQLFragment?
    ) -> SQLFragment? {
        guard let argument else { return function == .count ? "count(*)" : nil }
        return switch function {
        case .count: "count(\(argument))"
        case .sum: "coalesce(sum(\(argument)), 0)"
        case .average: "avg(\(argument))"
        case .minimum: "min(\(argument))"
        case .maximum: "max(\(argument))"
        }
    }

    /// Registers the functions that SQLite doesn't have.
    static func register(on connection: SQLiteConnection) throws(StoreError) {}
}
#endif
