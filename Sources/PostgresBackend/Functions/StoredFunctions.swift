#if Postgres
import ContextCore

/// All functions and aggregates that a store creates in its schema.
enum StoredFunctions {
    /// The version of the functions, which is raised whenever a function is added or its results change.
    static let version = 2
    /// The first version that has all functions which statements call, even if later versions return other results.
    ///
    /// A role that may not replace the functions can work with this version.
    static let minimumVersion = 1

    private static let functions =
        IntegerFunctions.all + DoubleFunctions.all + DecimalFunctions.all + TimeFunctions.all
        + TextFoldingFunctions.all

    /// Returns the statements that create all functions and aggregates in a quoted schema.
    ///
    /// - Parameter version: The server's version as libpq returns it.
    static func creation(in schema: String, version: Int32) -> [String] {
        functions.map { $0.creation(in: schema, version: version) } + DoubleFunctions.aggregates(in: schema)
    }

    /// Returns the signatures of all functions and aggregates in a quoted schema.
    static func signatures(in schema: String) -> [String] {
        functions.map { $0.signature(in: schema) } + DoubleFunctions.aggregateSignatures(in: schema)
    }
}
#endif
