import ContextCore

/// Compares the values that a caller read and assigned with those of an object that another save has changed.
struct ConflictComparison {
    let request: ChangeRequest
    let context: ObjectContext

    /// The number of members of a to-many relationship that a conflict shows.
    private static let memberLimit = 1_000

    /// Describes a conflict: the properties that the caller changes, and those that the caller saw with another value.
    func conflict(_ change: RequestedChange, _ object: ManagedObject) throws -> ChangeConflict {
        var mine: [(name: String, value: JSONValue)] = []
        for attribute in change.attributes { mine.append((attribute.name, Self.json(attribute))) }
        for reference in change.references {
            mine.append((reference.property.name, reference.target.map(json) ?? .null))
        }
        for members in Dictionary(grouping: change.members, by: \.property.name).sorted(by: {
            $0.key < $1.key
        }) {
            mine.append((members.key, try value(of: members.value, object)))
        }
        let isDeletion = change.action == .delete
        let written = Set(mine.map(\.name))
        var properties = try mine.map { name, value in
            ChangeConflict.Property(
                name: name, base: change.base[name] ?? .null, mine: value, theirs: try theirs(name, object))
        }
        for (name, base) in change.base.sorted(by: { $0.key < $1.key }) where !written.contains(name) {
            let theirs = try theirs(name, object)
            if theirs == base { continue }
            properties.append(
                .init(name: name, base: base, mine: isDeletion ? .null : base, theirs: theirs))
        }
        return ChangeConflict(
            place: change.place.description, object: "\(object.entityLayout.name):\(object.objectID.key)",
            version: context.version(of: object), properties: properties)
    }

    // MARK: The caller's values

    private static func json(_ attribute: RequestedChange.AttributeChange) -> JSONValue {
        guard var type = attribute.property.attribute?.type else { return .null }
        if let part = attribute.part, case .composite(let parts) = type { type = parts[part].type }
        return attribute.value.fileValue(of: type)
    }

    private func json(_ target: ChangeTarget) -> JSONValue {
        switch target {
        case .stored(_, let key): .number(String(key))
        case .inserted(let index): .string(request.changes[index].label)
        }
    }

    /// Returns the members that the relationship would have.
    private func value(of changes: [RequestedChange.MemberChange], _ object: ManagedObject) throws
        -> JSONValue
    {
        if let replacement = changes.first(where: { $0.verb == .set }) {
            return .array(replacement.targets.map(json))
        }
        guard let name = changes.first?.property.name, let stored = try theirs(name, object).elements else {
            return .null
        }
        let removed = Set(changes.filter { $0.verb == .remove }.flatMap { $0.targets.map(json) })
        let added = changes.filter { $0.verb == .add }.flatMap { $0.targets.map(json) }
        let kept = stored.filter { !removed.contains($0) }
        return .array(kept + added.filter { !kept.contains($0) })
    }

    // MARK: The store's values

    /// Returns the stored value of a property, or of a part of a composite, as `get` prints it.
    private func theirs(_ name: String, _ object: ManagedObject) throws -> JSONValue {
        let names = name.split(separator: ".", maxSplits: 1).map(String.init)
        let entity = object.entityLayout
        guard let property = entity.property(named: name) ?? names.first.flatMap(entity.property(named:))
        else {
            return .null
        }
        if let relationship = property.relationship {
            if !relationship.description.isToMany {
                return (try object.object(property.name)).map { .number(String($0.objectID.key)) } ?? .null
            }
            let members = try object.members(named: property.name).fetch(
                matching: nil, limit: Self.memberLimit)
            return .array(members.map { .number(String($0.objectID.key)) })
        }
        guard let type = property.attribute?.type else { return .null }
        let value = try object[property.name]
        guard property.name != name, case .composite(let parts) = type, names.count == 2,
            let index = parts.firstIndex(where: { $0.name == names[1] })
        else { return value.fileValue(of: type) }
        guard case .composite(let values) = value, values.count == parts.count else { return .null }
        return values[index].fileValue(of: parts[index].type)
    }
}
