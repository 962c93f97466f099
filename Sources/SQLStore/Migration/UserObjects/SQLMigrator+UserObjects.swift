import ContextCore

extension SQLMigrator: UserObjectLister {
    package func userObjects() throws -> [String] {
        let own = try StoreTables.all + metadata.ownTables()
        let names = Set(own.map(\.name))
        let found = try connection.userDefinedObjects(besides: own).filter { object in
            names.contains(object.table) || object.kind == .view && names.contains(where: object.mentions)
        }
        let sentences = found.map { object in
            object.kind == .view
                ? "The view \(object.name) reads the store's tables."
                : "The \(object.kind.rawValue) \(object.name) on \(object.table) is user-defined."
        }
        return Set(sentences + (try connection.userObjectDescriptions(on: own))).sorted {
            $0.precedesByBytes($1)
        }
    }
}
