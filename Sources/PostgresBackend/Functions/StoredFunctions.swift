#if Postgres
import ContextCore

/// All that a store brings along.
enum StoredFunctions {
    /// Grows with every change of what the functions answer, and with every new one.
    static let version = 2
    /// The first version that has all functions which statements call, even if some answered otherwise: who may not renew them makes
    /// do with them.
    static let leastVersion = 1

    private static let functions =
        IntegerFunctions.all + DoubleFunctions.all + DecimalFunctions.all + TimeFunctions.all
        + TextFoldingFunctions.all

    /// The statements that make everything in a schema, whose name is between quotes.
    ///
    /// - Parameter version: The server's, as libpq has it.
    static func creation(in schema: String, version: Int32) -> [String] {
        functions.map { $0.creation(in: schema, version: version) } + DoubleFunctions.aggregates(in: schema)
    }

    /// All that statements may call, by names and types.
    static func signatures(in schema: String) -> [String] {
        functions.map { $0.signature(in: schema) } + DoubleFunctions.aggregateSignatures(in: schema)
    }
}
#endif
