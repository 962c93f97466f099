#if Postgres
import ContextCore

/// All that a store brings along.
enum StoredFunctions {
    /// Grows with every change of what the functions answer, and with every new one.
    static let version = 1

    /// The statements that make everything in a schema, whose name is between quotes.
    static func creation(in schema: String) -> [String] {
        let functions =
            IntegerFunctions.all + DoubleFunctions.all + DecimalFunctions.all + TimeFunctions.all
            + TextFoldingFunctions.all
        return functions.map { $0.creation(in: schema) } + DoubleFunctions.aggregates(in: schema)
    }
}
#endif
