import ContextCore

/// Chooses names for entities and properties that are valid in Swift and SQL, and keeps those of the source where they are.
///
/// In SQL, the entities of an inheritance tree share a table, and so do two properties of one name in different entities.
struct CoreDataNames {
    /// The longest name that PostgreSQL keeps, in bytes.
    private static let maxLength = 63

    /// The names of tables.
    private var tables: Set<String> = []
    /// The names of columns, by the root of the tree.
    private var columns: [String: Set<String>] = [:]

    /// Reserves the name of an entity.
    mutating func reserveEntity(_ name: String) -> String {
        let isValid =
            Self.isIdentifier(name) && !ReservedNames.isReserved(name)
            && !ReservedNames.isReservedForTables(name)
        let base = isValid ? name : Self.unreserved(ImportedNames.entity(name), ending: "Entity")
        let found = Self.firstFree(base, alternative: nil) { candidate in
            Self.fits(candidate) && !tables.contains(SnakeCase.name(candidate))
        }
        tables.insert(SnakeCase.name(found))
        return found
    }

    /// The columns and the table that a property needs in addition to the column with its name.
    struct Needs {
        /// The endings of further columns, such as `_id`.
        var endings: [String] = []
        /// Whether it has a join table, for the links of a many-to-many relationship.
        var hasTable = false
    }

    /// Reserves the name of a property.
    ///
    /// - Parameters:
    ///   - entity: The entity that declares it, by its name in the model.
    ///   - root: The root of the entity's inheritance tree.
    mutating func reserveProperty(_ name: String, of entity: String, root: String, _ needs: Needs) -> String {
        let trimmed = String(name.drop { $0 == "_" })
        let isValid = Self.isIdentifier(trimmed) && !ReservedNames.isReserved(trimmed)
        let base = isValid ? trimmed : Self.unreserved(ImportedNames.property(name), ending: "Value")
        let alternative = ImportedNames.uncapitalized(entity) + ImportedNames.capitalized(base)
        let used = columns[root] ?? []
        let found = Self.firstFree(base, alternative: alternative) { candidate in
            let isFree = Self.columns(candidate, needs).allSatisfy { Self.fits($0) && !used.contains($0) }
            let table = "\(entity)_\(candidate)"
            return isFree && (!needs.hasTable || Self.fits(table) && !tables.contains(SnakeCase.name(table)))
        }
        columns[root] = used.union(Self.columns(found, needs))
        if needs.hasTable { tables.insert(SnakeCase.name("\(entity)_\(found)")) }
        return found
    }

    private static func columns(_ name: String, _ needs: Needs) -> [String] {
        ([""] + needs.endings).map { SnakeCase.name(name + $0) }
    }

    private static func firstFree(
        _ base: String, alternative: String?, _ isFree: (String) -> Bool
    ) -> String {
        for name in [base, alternative].compactMap(\.self) where isFree(name) { return name }
        var number = 2
        while true {
            let ending = String(number)
            // A long name is shortened by as much as the number, and the endings and the table need.
            for length in [base.count, 40, 24, 12] where isFree(base.prefix(length) + ending) {
                return base.prefix(length) + ending
            }
            number += 1
        }
    }

    private static func fits(_ name: String) -> Bool {
        max(name.utf8.count, SnakeCase.name(name).utf8.count) <= maxLength
    }

    private static func unreserved(_ name: String, ending: String) -> String {
        ReservedNames.isReserved(name) ? name + ending : name
    }

    private static func isIdentifier(_ name: String) -> Bool {
        guard let first = name.first, first.isASCII, first.isLetter else { return false }
        return name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_" }
    }
}
