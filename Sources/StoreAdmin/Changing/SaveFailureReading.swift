import ContextCore

/// Describes the errors of a save in terms of the changes that the caller asked for.
struct SaveFailureReading {
    private let labels: [ObjectID: (label: String, change: RequestedChange)]

    /// - Parameter objects: The objects of the changes, by their index.
    init(request: ChangeRequest, objects: [Int: ManagedObject]) {
        var labels: [ObjectID: (label: String, change: RequestedChange)] = [:]
        for (index, object) in objects {
            let change = request.changes[index]
            labels[object.objectID] = (change.label, change)
        }
        self.labels = labels
    }

    func failures(_ error: StoreError) -> [ChangeFailure] {
        let broken = error.failures.map { failure in
            self.failure(
                failure.objectID, failure.entityName, failure.property, failure.statement)
        }
        let conflicts = error.conflicts.map { conflict in
            let (property, message) = message(of: conflict)
            return self.failure(conflict.objectID, conflict.entityName, property, message)
        }
        if !broken.isEmpty || !conflicts.isEmpty { return broken + conflicts }
        return [ChangeFailure(place: nil, object: "the save", property: nil, message: error.message)]
    }

    private func failure(
        _ id: ObjectID?, _ entityName: String, _ property: String?, _ message: String
    ) -> ChangeFailure {
        let known = id.flatMap { labels[$0] }
        return ChangeFailure(
            place: known.map { place(of: property, in: $0.change) },
            object: id.map { label(of: $0, entityName) } ?? entityName, property: property, message: message)
    }

    private func label(of id: ObjectID, _ entityName: String) -> String {
        labels[id]?.label ?? (id.isTemporary ? "a new \(entityName)" : "\(entityName):\(id.key)")
    }

    /// Returns the place of a property that the change sets, or else that of the change.
    private func place(of property: String?, in change: RequestedChange) -> String {
        let names = property.map { [$0, String($0.prefix { $0 != "." })] } ?? []
        let isSet =
            change.attributes.contains { names.contains($0.name) || names.contains($0.property.name) }
            || change.references.contains { names.contains($0.property.name) }
        if let property, isSet { return change.place.member("set").member(property).description }
        guard let members = change.members.first(where: { names.contains($0.property.name) }) else {
            return change.place.description
        }
        return change.place.member(members.verb.rawValue).member(members.property.name).description
    }

    private func message(of conflict: SaveConflict) -> (property: String?, message: String) {
        switch conflict.kind {
        case .changed, .deleted: (nil, "was changed by another save")
        case .duplicate(let names, let other):
            (
                names.joined(separator: ", "),
                "must be unique, and \(label(of: other, conflict.entityName)) has the same value"
            )
        case .missingReference(let property): (property, "refers to an object that does not exist")
        case .denied(let property): (property, "can't be deleted: an object still refers to it")
        }
    }
}
