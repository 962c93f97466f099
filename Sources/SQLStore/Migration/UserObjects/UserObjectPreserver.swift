import ContextCore

/// Drops user-defined objects that block the rebuild of tables and recreates them, in the step's transaction.
struct UserObjectPreserver {
    private let connection: any MigrationConnection
    private var metadata: MigrationMetadata { MigrationMetadata(connection: connection) }

    init(_ connection: any MigrationConnection) {
        self.connection = connection
    }

    /// Runs statements while the user-defined objects that would block them are dropped.
    ///
    /// - Throws: `StoreError.Code.migrationRefused` if a user-defined object on these tables was created after the plan was made, because
    ///   it might not be possible to recreate it.
    func run(_ statements: [String], _ planned: MigrationStep.UserObjects?) throws {
        guard let planned else {
            for statement in statements { try connection.execute(statement) }
            return
        }
        let userObjects = try connection.userDefinedObjects(besides: metadata.ownTables())
        let planning = UserObjectPlanning(userObjects, connection.migrationDialect)
        let objects =
            planning.recreatedObjects(rebuilt: planned.rebuilt, droppedTables: planned.gone)?.objects ?? []
        for object in objects where !planned.objects.contains(object) {
            let tables = planned.rebuilt + planned.gone
            guard
                userObjects.contains(where: { $0.name == object.name && tables.contains(where: $0.refersTo) })
            else {
                continue
            }
            throw StoreError(
                .migrationRefused,
                "\(object.name) is a user-defined object that was created or changed after the migration was planned.",
                remedy: "Drop it, run the migration, and create it again.")
        }
        for object in objects { if let statement = object.dropping { try connection.execute(statement) } }
        for statement in statements { try connection.execute(statement) }
        for object in objects { if let statement = object.making { try connection.execute(statement) } }
    }
}
