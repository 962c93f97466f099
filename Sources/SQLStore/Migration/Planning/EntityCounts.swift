import ContextCore

/// The number of objects of each entity, by the entity's name.
///
/// The step that changes the tables must preserve every object whose entity stays, so it counts them before and after in its transaction.
struct EntityCounts {
    private let counts: [String: Int]

    /// - Parameter tables: The tables whose objects are counted, or nil for all.
    init(
        _ mapping: StoreMapping, _ connection: any MigrationConnection, in tables: Set<String>?
    ) throws(StoreError) {
        var counts: [String: Int] = [:]
        for root in mapping.roots where tables?.contains(root.table) != false {
            let names = Dictionary(
                root.layout.familyIndices.map {
                    (mapping.entities[$0].number, mapping.entities[$0].layout.name)
                }
            ) { first, _ in first }
            let entity: SQLFragment =
                root.hasEntityColumn ? "\(name: StoreNames.entity)" : "\(number: root.number)"
            let query: SQLFragment =
                "SELECT \(entity), count(*) FROM \(name: root.table)\(root.hasEntityColumn ? " GROUP BY 1" : "")"
            let rows = try connection.rows(
                SQLText(query, connection.migrationDialect.dialect), [.integer(bits: 64), .integer(bits: 64)])
            for row in rows {
                if let name = names[row[0].number] { counts[name] = row[1].number }
            }
        }
        self.counts = counts
    }

    /// Returns a sentence for each entity whose number of objects changed.
    ///
    /// - Parameter tables: The newer tables whose objects were counted, or nil for all.
    func differences(
        from older: EntityCounts, _ schema: SchemaTransition, in tables: Set<String>?
    ) -> [String] {
        schema.new.entities.filter { tables?.contains($0.table) != false }.compactMap { entity in
            let name = entity.layout.name
            let before = schema.origin(of: entity).map { older.counts[$0.layout.name] ?? 0 } ?? 0
            let now = counts[name] ?? 0
            return now == before
                ? nil : "\(name) had \(before.counted("object", "objects")) and has \(now.groupedDigits)"
        }
    }
}
