package import ContextCore

/// Where a store keeps the large values of one attribute: in a table of their own, a row a value.
///
/// The row of the object has either the value itself, or null and a stamp.
///
/// ```sql
/// CREATE TABLE "clip_image" ("_owner" INTEGER PRIMARY KEY REFERENCES "clip" ("_id") ON DELETE CASCADE, "_stamp" …, "_value" …)
/// ```
package struct ExternalColumn: Hashable, Sendable {
    /// The table of the values.
    package let table: String
    /// The column of the object's row with the version at which the value was saved, null where the row has the value itself.
    package let stamp: String
    /// The least number of bytes that a value has which is kept outside of the row.
    package let threshold: Int
}

extension StoreError {
    /// A row says that a value of it lies outside, and not since when.
    package static let invalidStamp = StoreError(
        .corrupt, "A row refers to a value outside of it in a way that no save does.",
        remedy: "Run storectl check.")
}

extension EntityMapping {
    /// The columns whose values may lie outside of their row.
    package func externalColumns(among columns: some Sequence<Int>) -> [Int] {
        columns.filter { self.columns[$0].external != nil }
    }
}

extension StoreMapping {
    /// The columns of a table whose values may lie outside of it, each once.
    package func externalColumns(of table: String) -> [ColumnMapping] {
        var seen: Set<String> = []
        return entities.filter { $0.table == table }.flatMap(\.columns).filter {
            $0.external != nil && seen.insert($0.name).inserted
        }
    }
}

extension SQLExpression {
    /// The value of a column, wherever it lies.
    static func value(_ column: String, _ external: ExternalColumn?, of alias: String) -> SQLExpression {
        external?.whole(.column(of: alias, column), alias: alias) ?? .column(of: alias, column)
    }
}

extension ExternalColumn {
    /// A query for the value of a row.
    private func value(ofRow key: SQLExpression) -> SelectStatement {
        let alias = "external"
        var select = SelectStatement(
            [.column(of: alias, StoreNames.externalValue)], from: .init(table, as: alias))
        select.filter = [.comparison(.column(of: alias, StoreNames.owner), .equal, key)]
        return select
    }

    /// The value of a column of the table with an alias, wherever it lies.
    func whole(_ column: SQLExpression, alias: String) -> SQLExpression {
        let outside = SQLExpression.scalar(value(ofRow: .column(of: alias, StoreNames.key)))
        return .conditional(.isNull(column), then: outside, else: column)
    }

    /// The same in a statement that has no other tables, and no alias for its own.
    func whole(_ column: String) -> SQLFragment {
        """
        coalesce(\(name: column), (SELECT \(name: StoreNames.externalValue) FROM \(stored: table) \
        WHERE \(name: StoreNames.owner) = \(name: StoreNames.key)))
        """
    }
}
