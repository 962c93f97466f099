import ContextCore

/// The names that are in use for entities, or for the properties of an entity, in the spelling of the database.
struct UsedNames {
    private var names: Set<String> = []

    /// Reserves a name and returns it, with a number appended if the name is in use or reserved.
    mutating func reserve(_ name: String, isReference: Bool = false) -> String {
        var number = 1
        while true {
            let candidate = number == 1 ? name : "\(name)\(number)"
            let columns = Self.columnNames(for: candidate, isReference: isReference)
            if names.isDisjoint(with: columns), !ReservedNames.isReserved(candidate) {
                names.formUnion(columns)
                return candidate
            }
            number += 1
        }
    }

    /// Returns the column names that a property may use; those of a to-one relationship include names with a suffix.
    private static func columnNames(for name: String, isReference: Bool) -> [String] {
        let column = SnakeCase.name(name)
        return isReference ? [column, column + "_id", column + "_order"] : [column]
    }
}
