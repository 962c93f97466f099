import ContextCore

/// Puts away what is not the store's own while tables are made anew, and makes it again, inside of the step's transaction.
struct BystanderKeeping {
    private let connection: any MigrationConnection
    private var notes: MigrationNotes { MigrationNotes(connection: connection) }

    init(_ connection: any MigrationConnection) {
        self.connection = connection
    }

    /// Runs statements, with what stands in their way put away.
    ///
    /// - Throws: `StoreError.Code.migrationRefused` where something was made since they were planned that is about their tables: it
    ///   could be made again wrongly, or not at all.
    func run(_ statements: [String], _ planned: MigrationStep.Bystanders?) throws {
        guard let planned else {
            for statement in statements { try connection.execute(statement) }
            return
        }
        let foreign = try connection.foreignObjects(besides: notes.ownTables())
        let planning = BystanderPlanning(foreign, connection.spelling)
        let objects = planning.bystanders(rebuilt: planned.rebuilt, gone: planned.gone)?.objects ?? []
        for object in objects where !planned.objects.contains(object) {
            let tables = planned.rebuilt + planned.gone
            guard foreign.contains(where: { $0.name == object.name && tables.contains(where: $0.isAbout) })
            else {
                continue
            }
            throw StoreError(
                .migrationRefused,
                "\(object.name) is not the store's own, and was made or changed since the migration was planned.",
                remedy: "Drop it, and make it again after the migration.")
        }
        for object in objects { if let statement = object.dropping { try connection.execute(statement) } }
        for statement in statements { try connection.execute(statement) }
        for object in objects { if let statement = object.making { try connection.execute(statement) } }
    }
}
