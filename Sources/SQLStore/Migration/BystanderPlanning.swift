import ContextCore

/// Says what of others stands in the way where tables are made anew, and whether it can be made again afterwards.
struct BystanderPlanning {
    private let foreign: [ForeignObject]
    private let spelling: MigrationDialect

    init(_ foreign: [ForeignObject], _ spelling: MigrationDialect) {
        self.foreign = foreign
        self.spelling = spelling
    }

    /// What is put away and made again; nil where no table is made anew or goes.
    ///
    /// All triggers and views are: the database looks at every one of them when a table gets another's name.
    func bystanders(rebuilt: [String], gone: [String]) -> MigrationStep.Bystanders? {
        if rebuilt.isEmpty && gone.isEmpty { return nil }
        // A trigger may be on a view, so views come first. Otherwise their order must not depend on when each was made.
        let ordered = foreign.sorted { left, right in
            (left.kind == .view) == (right.kind == .view)
                ? left.name.precedes(right.name) : left.kind == .view
        }
        let objects = ordered.compactMap { object -> MigrationStep.Bystanders.Object? in
            switch object.kind {
            case .view:
                .init(name: object.name, dropping: drop("DROP VIEW IF EXISTS", object), making: object.sql)
            case .trigger:
                .init(
                    name: object.name, dropping: drop("DROP TRIGGER IF EXISTS", object),
                    making: gone.contains(object.table) ? nil : object.sql)
            case .index:
                rebuilt.contains(object.table)
                    ? .init(name: object.name, dropping: nil, making: object.sql) : nil
            case .constraint: nil
            }
        }
        return .init(rebuilt: rebuilt, gone: gone, objects: objects)
    }

    private func drop(_ verb: SQLFragment, _ object: ForeignObject) -> String {
        spelling.text("\(verb) \(name: object.name)")
    }

    /// What is there after a migration, as a later one finds it.
    func remaining(gone: [String]) -> [ForeignObject] {
        foreign.filter { $0.kind == .view || !gone.contains($0.table) }
    }

    /// Refuses what could not be made again, since it speaks of a table or a column that will be gone or have another name.
    func check(_ changes: [TableChange], gone: [String]) throws(StoreError) {
        for change in changes {
            guard let origin = change.origin, change.isHeir, !change.isSimple else { continue }
            let lost = origin.columns.map(\.name).filter { name in
                !name.hasPrefix(SchemaTransition.pending)
                    && !change.table.columns.contains { $0.name == name }
            }
            for object in foreign where object.isAbout(origin.name) {
                if origin.name != change.table.name {
                    throw Self.stale(object, origin.name, "is called \(change.table.name) afterwards")
                }
                if let column = lost.first(where: object.mentions) {
                    throw Self.stale(
                        object, "\(origin.name).\(column)", "has another name afterwards, or is gone")
                }
            }
        }
        for table in gone {
            if let object = foreign.first(where: { $0.table != table && $0.mentions(table) }) {
                throw Self.stale(object, table, "is gone afterwards")
            }
        }
    }

    private static func stale(_ object: ForeignObject, _ subject: String, _ fate: String) -> StoreError {
        StoreError(
            .migrationRefused,
            "The \(object.kind.rawValue) \(object.name) is not the store's own, and speaks of \(subject), which \(fate).",
            remedy: "Drop it, and make it again after the migration; nothing was changed.")
    }
}
