import ContextCore

/// The changes between two imports of a model, applied to a model that was edited since the first import.
///
/// Entities, properties and their settings are merged one by one, and indexes and unique constraints as sets. Where both sides have
/// changed the same setting, the edited model wins, and the change is a conflict.
struct ModelMerge {
    /// A difference between the two imports that the edited model didn't have yet.
    struct Change: Equatable {
        enum Outcome: String {
            case added, removed, changed
            /// The edited model has a change of its own, which stays.
            case conflict
        }

        /// The names in the model file from the entity down, such as `["Album", "attributes", "year", "type"]`.
        let path: [String]
        let outcome: Outcome
        /// The value in the edited model; nil if it has none.
        let edited: JSONValue?
        /// The value in the newer import; nil if it has none.
        let imported: JSONValue?
    }

    /// The edited model with the changes.
    private(set) var model: JSONValue = .null
    private(set) var changes: [Change] = []

    /// Merges model files.
    ///
    /// - Parameters:
    ///   - base: The earlier import, from which the edited model was made.
    ///   - edited: The edited model.
    ///   - imported: The newer import.
    init(base: JSONValue, edited: JSONValue, imported: JSONValue) {
        // The format is the same, because this version of the library has written all three.
        let entities = merged(
            base["entities"].members ?? [:], edited["entities"].members ?? [:],
            imported["entities"].members ?? [:], at: [])
        model = .object(["entities": .object(entities), "format": edited["format"]])
    }

    var hasConflicts: Bool { changes.contains { $0.outcome == .conflict } }

    private mutating func merged(
        _ base: JSONValue?, _ edited: JSONValue?, _ imported: JSONValue?, at path: [String]
    ) -> JSONValue? {
        if imported == base || imported == edited { return edited }
        if case .object(let edited) = edited, case .object(let imported) = imported {
            return .object(merged(base?.members ?? [:], edited, imported, at: path))
        }
        if edited == base {
            let outcome: Change.Outcome = base == nil ? .added : imported == nil ? .removed : .changed
            record(outcome, edited, imported, at: path)
            return imported
        }
        let isSetOfEntity = path.count == 2
        if isSetOfEntity, case .array(let edited)? = edited ?? .array([]),
            case .array(let imported)? = imported ?? .array([])
        {
            return .array(merged(base?.elements ?? [], edited, imported, at: path))
        }
        record(.conflict, edited, imported, at: path)
        return edited
    }

    private mutating func merged(
        _ base: [String: JSONValue], _ edited: [String: JSONValue], _ imported: [String: JSONValue],
        at path: [String]
    ) -> [String: JSONValue] {
        var result = edited
        for name in Set(base.keys).union(imported.keys).sorted() {
            result[name] = merged(base[name], edited[name], imported[name], at: path + [name])
        }
        return result
    }

    private mutating func merged(
        _ base: [JSONValue], _ edited: [JSONValue], _ imported: [JSONValue], at path: [String]
    ) -> [JSONValue] {
        let added = imported.filter { !base.contains($0) && !edited.contains($0) }
        let removed = edited.filter { base.contains($0) && !imported.contains($0) }
        for element in added { record(.added, nil, element, at: path) }
        for element in removed { record(.removed, element, nil, at: path) }
        return edited.filter { !removed.contains($0) } + added
    }

    private mutating func record(
        _ outcome: Change.Outcome, _ edited: JSONValue?, _ imported: JSONValue?, at path: [String]
    ) {
        changes.append(Change(path: path, outcome: outcome, edited: edited, imported: imported))
    }
}

extension ModelMerge.Change {
    /// The entity and the property, and what of them the change is about: `Album.year type`, `Album unique`.
    var place: String {
        let entity = path.first ?? ""
        guard path.count > 1 else { return entity }
        let isProperty = path.count > 2 && ["attributes", "relationships"].contains(path[1])
        let rest = isProperty ? path.dropFirst(3) : path.dropFirst(1)
        return ([isProperty ? "\(entity).\(path[2])" : entity] + rest).joined(separator: " ")
    }
}
