package import ContextCore

/// The end of an INSERT that updates or keeps colliding rows, and returns the keys of all written rows.
///
/// ```sql
/// ON CONFLICT ("email") DO UPDATE SET "_version" = t."_version" + 1, "score" = excluded."score"
/// WHERE (t."score" IS DISTINCT FROM excluded."score") RETURNING "_id"
/// ```
///
/// A row that isn't written isn't returned. If entities share the table, the number of each row's entity is returned too.
package struct UpsertClause {
    /// The alias that the INSERT must give to its table.
    package static let alias: SQLFragment = "t"

    private let entity: EntityMapping
    private let columns: [ColumnMapping]
    private let constraint: UniqueColumns?
    /// The numbers of the entities that share the constraint; nil for all of the table.
    private let entities: [Int]?

    package init(
        _ columns: [Int], matching constraint: UniqueColumns?, of entity: EntityMapping,
        in mapping: StoreMapping
    ) {
        self.entity = entity
        self.columns = columns.map { entity.columns[$0] }
        self.constraint = constraint
        entities = constraint.flatMap { mapping.numbers(sharing: $0)?.sorted() }
    }

    /// Renders the clause.
    package func fragment(_ dialect: SQLDialect) -> SQLFragment {
        let returned: SQLFragment =
            entity.hasEntityColumn
            ? "RETURNING \(name: StoreNames.key), \(name: StoreNames.entity)"
            : "RETURNING \(name: StoreNames.key)"
        if constraint == nil || columns.isEmpty {
            return "ON CONFLICT\(target) DO NOTHING \(returned)"
        }
        return "ON CONFLICT\(target) DO UPDATE SET \(assignments)\(condition(dialect)) \(returned)"
    }

    /// The columns of the constraint, and the condition of its index if that is partial.
    private var target: SQLFragment {
        guard let constraint else { return "" }
        let names = constraint.columns.map { "\(name: entity.columns[$0].name)" as SQLFragment }
        guard let entities else { return " (\(names.joined()))" }
        // SQLite compares the condition with that of the index as written, so it must be rendered in the same way.
        let numbers = entities.map { "\(number: $0)" as SQLFragment }
        return " (\(names.joined())) WHERE \(name: StoreNames.entity) IN (\(numbers.joined()))"
    }

    private var assignments: SQLFragment {
        let version: SQLFragment =
            "\(name: StoreNames.version) = \(Self.alias).\(name: StoreNames.version) + 1"
        return ([version] + columns.map { "\(name: $0.name) = excluded.\(name: $0.name)" }).joined()
    }

    /// The condition that a value changes; empty if there is JSON, which always counts as changed.
    private func condition(_ dialect: SQLDialect) -> SQLFragment {
        if columns.contains(where: { $0.type == .json }) { return "" }
        let changes = columns.map { column -> SQLFragment in
            "\(Self.alias).\(name: column.name) \(dialect.different) excluded.\(name: column.name)"
        }
        return " WHERE (\(changes.joined(by: " OR ")))"
    }
}
