import ContextCore

/// Finds the user-defined objects that block a rebuild of tables and checks that they can be recreated.
struct UserObjectPlanning {
    private let userObjects: [UserObject]
    private let migrationDialect: MigrationDialect

    init(_ userObjects: [UserObject], _ migrationDialect: MigrationDialect) {
        self.userObjects = userObjects
        self.migrationDialect = migrationDialect
    }

    /// Returns the user-defined objects to drop and recreate, or nil if no table is rebuilt or dropped.
    ///
    /// It includes all triggers and views, because SQLite parses every one of them when a table is renamed.
    func recreatedObjects(rebuilt: [String], droppedTables: [String]) -> MigrationStep.UserObjects? {
        if rebuilt.isEmpty && droppedTables.isEmpty { return nil }
        // A trigger may be on a view, so views come first. The order must not depend on when the objects were created.
        let ordered = userObjects.sorted { left, right in
            (left.kind == .view) == (right.kind == .view)
                ? left.name.precedesByBytes(right.name) : left.kind == .view
        }
        let objects = ordered.compactMap { object -> MigrationStep.UserObjects.Object? in
            switch object.kind {
            case .view:
                .init(name: object.name, dropping: drop("DROP VIEW IF EXISTS", object), making: object.sql)
            case .trigger:
                .init(
                    name: object.name, dropping: drop("DROP TRIGGER IF EXISTS", object),
                    making: droppedTables.contains(object.table) ? nil : object.sql)
            case .index:
                rebuilt.contains(object.table)
                    ? .init(name: object.name, dropping: nil, making: object.sql) : nil
            case .constraint: nil
            }
        }
        return .init(rebuilt: rebuilt, gone: droppedTables, objects: objects)
    }

    private func drop(_ verb: SQLFragment, _ object: UserObject) -> String {
        migrationDialect.text("\(verb) \(name: object.name)")
    }

    /// Returns the user-defined objects that exist after the migration.
    func remaining(droppedTables: [String]) -> [UserObject] {
        userObjects.filter { $0.kind == .view || !droppedTables.contains($0.table) }
    }

    /// Refuses user-defined objects that can't be recreated because they refer to a table or column that is renamed or dropped.
    func check(_ changes: [TableChange], droppedTables: [String]) throws(StoreError) {
        for change in changes {
            guard let origin = change.origin, change.isSuccessor, !change.needsNoRebuild else { continue }
            let lost = origin.columns.map(\.name).filter { name in
                !name.hasPrefix(SchemaTransition.pending)
                    && !change.table.columns.contains { $0.name == name }
            }
            for object in userObjects where object.refersTo(origin.name) {
                if origin.name != change.table.name {
                    throw Self.blockingObjectError(
                        object, origin.name, "the migration renames to \(change.table.name)")
                }
                if let column = lost.first(where: object.mentions) {
                    throw Self.blockingObjectError(
                        object, "\(origin.name).\(column)", "the migration renames or drops")
                }
            }
        }
        for table in droppedTables {
            if let object = userObjects.first(where: { $0.table != table && $0.mentions(table) }) {
                throw Self.blockingObjectError(object, table, "the migration drops")
            }
        }
    }

    private static func blockingObjectError(_ object: UserObject, _ subject: String, _ fate: String)
        -> StoreError
    {
        StoreError(
            .migrationRefused,
            "The \(object.kind.rawValue) \(object.name) is user-defined and refers to \(subject), which \(fate).",
            remedy: "Drop it before the migration, and create it again afterwards. Nothing was changed.")
    }
}
