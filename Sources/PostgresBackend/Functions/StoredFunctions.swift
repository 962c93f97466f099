#if Postgres
import ContextCore

/// All that a store brings along.
enum StoredFunctions {
    /// Grows with every change of what the functions answer, and with every new one.
    static let version = 2

    /// The statements that make everything in a schema, whose name is between quotes.
    ///
    /// - Parameter version: The server's, as libpq has it.
    static func creation(in schema: String, version: Int32) -> [String] {
        let functions =
            IntegerFunctions.all + DoubleFunctions.all + DecimalFunctions.all + TimeFunctions.all
            + TextFoldingFunctions.all
        return functions.map { $0.creation(in: schema, version: version) }
            + DoubleFunctions.aggregates(in: schema)
    }
}
#endif
