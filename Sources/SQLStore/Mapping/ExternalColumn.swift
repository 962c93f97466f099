package import ContextCore

/// The storage of the large values of one attribute: a separate table with one row per value.
///
/// The row of the object has either the value itself, or null and a stamp.
///
/// ```sql
/// CREATE TABLE "clip_image" ("_owner" INTEGER PRIMARY KEY REFERENCES "clip" ("_id") ON DELETE CASCADE, "_stamp" …, "_value" …)
/// ```
package struct ExternalColumn: Hashable, Sendable {
    /// The table of the values.
    package let table: String
    /// The column of the object's row with the version at which the value was saved; null if the row has the value itself.
    package let stamp: String
    /// The smallest number of bytes of a value that is stored outside of the row.
    package let threshold: Int
}

extension StoreError {
    /// The error for a row that refers to an external value without a valid version.
    package static let invalidStamp = StoreError(
        .corrupt, "A row's reference to a value that is stored outside of it is damaged.",
        remedy: "Run 'storectl check' to find the row, or restore a backup.")
}

extension EntityMapping {
    /// Returns the columns whose values may be stored outside of their row.
    package func externalColumns(among columns: some Sequence<Int>) -> [Int] {
        columns.filter { self.columns[$0].external != nil }
    }
}

extension StoreMapping {
    /// Returns the columns of a table whose values may be stored outside of it, without duplicates.
    package func externalColumns(of table: String) -> [ColumnMapping] {
        var seen: Set<String> = []
        return entities.filter { $0.table == table }.flatMap(\.columns).filter {
            $0.external != nil && seen.insert($0.name).inserted
        }
    }
}

extension SQLExpression {
    /// Returns the value of a column, whether it is stored in the row or outside.
    static func value(_ column: String, _ external: ExternalColumn?, of alias: String) -> SQLExpression {
        external?.includingExternalValue(.column(of: alias, column), alias: alias)
            ?? .column(of: alias, column)
    }
}

extension ExternalColumn {
    /// Returns a query for the external value of a row.
    private func value(ofRow key: SQLExpression) -> SelectStatement {
        let alias = "external"
        var select = SelectStatement(
            [.column(of: alias, StoreNames.externalValue)], from: .init(table, as: alias))
        select.filter = [.comparison(.column(of: alias, StoreNames.owner), .equal, key)]
        return select
    }

    /// Returns the value of a column of an aliased table, whether it is stored in the row or outside.
    func includingExternalValue(_ column: SQLExpression, alias: String) -> SQLExpression {
        let outside = SQLExpression.scalar(value(ofRow: .column(of: alias, StoreNames.key)))
        return .conditional(.isNull(column), then: outside, else: column)
    }

    /// Returns the value of a column in a statement with one table and no alias.
    func includingExternalValue(_ column: String) -> SQLFragment {
        """
        coalesce(\(name: column), (SELECT \(name: StoreNames.externalValue) FROM \(stored: table) \
        WHERE \(name: StoreNames.owner) = \(name: StoreNames.key)))
        """
    }
}
