import ContextCore

extension SchemaTransition {
    /// Plans the migration of external values, and of values that become external.
    ///
    /// A table of external values is kept if its attribute and the rows are. In all other cases values are first copied back into the
    /// older rows, and large values are moved out of the newer rows at the end.
    ///
    /// - Parameter changes: The changes of the tables of objects.
    /// - Returns: The changes of the tables of external values.
    func planExternalValues(_ changes: inout [TableChange]) -> [TableChange] {
        var values: [TableChange] = []
        var kept: Set<String> = []
        for index in changes.indices {
            for column in new.externalColumns(of: changes[index].table.name) {
                guard let external = column.external else { continue }
                var change = TableChange(table: table(named: external.table))
                if let older = keptColumn(of: column, changes[index], changes), let was = older.external {
                    kept.insert(was.table)
                    changes[index].sources[external.stamp] = .column(was.stamp)
                    change.origin = oldTables[was.table]
                    change.isSuccessor = true
                    for column in change.table.columns { change.sources[column.name] = .column(column.name) }
                    if migrationDialect.rebuildsTables, changes[index].keptEntityNumbers != nil {
                        changes[index].statementsAfter.append(
                            removal(of: external, changes[index].table.name))
                    }
                } else {
                    changes[index].sources[external.stamp] = .nothing
                    for column in change.table.columns { change.sources[column.name] = .nothing }
                    changes[index].statementsAfter += externalStorageStatements(
                        of: column, external, changes[index])
                }
                values.append(change)
            }
        }
        for root in old.roots {
            for column in old.externalColumns(of: root.table) {
                guard let external = column.external, !kept.contains(external.table),
                    let index = changes.firstIndex(where: { readsColumn(column, of: root.table, $0) })
                else { continue }
                changes[index].statementsBefore.append(copyBackStatement(of: column, external, root.table))
            }
        }
        return values
    }

    /// Returns the older column whose external values can stay where they are, or nil.
    private func keptColumn(
        of column: ColumnMapping, _ change: TableChange, _ changes: [TableChange]
    ) -> ColumnMapping? {
        guard change.isSuccessor, change.additionalRows.isEmpty, let origin = change.origin,
            changes.filter({ $0.origin?.name == origin.name }).count == 1,
            case .column(let name)? = change.sources[column.name]
        else { return nil }
        return old.externalColumns(of: origin.name).first { $0.name == name && $0.type == column.type }
    }

    /// Whether a newer table uses values of an older column.
    private func readsColumn(_ column: ColumnMapping, of table: String, _ change: TableChange) -> Bool {
        guard change.origin?.name == table else { return false }
        let name = migrationDialect.text("\(name: column.name)")
        return change.sources.values.contains { migrationDialect.text($0.fragment).contains(name) }
    }

    /// Copies external values back into the rows of an older table.
    private func copyBackStatement(
        of column: ColumnMapping, _ external: ExternalColumn, _ table: String
    ) -> SQLFragment {
        """
        UPDATE \(name: table) SET \(name: column.name) = (SELECT \(name: StoreNames.externalValue) \
        FROM \(name: external.table) WHERE \(name: StoreNames.owner) = \(name: table).\(name: StoreNames.key)) \
        WHERE \(name: external.stamp) IS NOT NULL
        """
    }

    /// Returns the statements that move large values from the rows of a newer table to the table of external values.
    private func externalStorageStatements(
        of column: ColumnMapping, _ external: ExternalColumn, _ change: TableChange
    ) -> [SQLFragment] {
        // A new column has no values, or the same constant in all rows.
        switch change.sources[column.name] {
        case .column?, .expression?: break
        default: return []
        }
        let size = migrationDialect.byteCount("\(name: column.name)", column.type)
        let condition: SQLFragment = "\(size) >= \(number: external.threshold)"
        return [
            """
            INSERT INTO \(name: external.table) (\(name: StoreNames.owner), \(name: StoreNames.stamp), \
            \(name: StoreNames.externalValue)) SELECT \(name: StoreNames.key), \(name: StoreNames.version), \
            \(name: column.name) FROM \(name: change.table.name) WHERE \(condition)
            """,
            """
            UPDATE \(name: change.table.name) SET \(name: column.name) = NULL, \
            \(name: external.stamp) = \(name: StoreNames.version) WHERE \(condition)
            """,
        ]
    }

    /// Deletes external values of rows that the migration removed, because SQLite doesn't cascade during a rebuild.
    private func removal(of external: ExternalColumn, _ table: String) -> SQLFragment {
        """
        DELETE FROM \(name: external.table) WHERE \(name: StoreNames.owner) NOT IN \
        (SELECT \(name: StoreNames.key) FROM \(name: table))
        """
    }
}
