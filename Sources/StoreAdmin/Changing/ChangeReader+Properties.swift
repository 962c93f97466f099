import ContextCore

// The members of a change: its properties with their new values, and the values that the caller saw.
extension ChangeReader {
    /// Reads a member of a change, except for those that are part of its head.
    mutating func readPart(_ member: JSONMember, _ change: inout RequestedChange) {
        let place = change.place.member(member.name)
        switch (member.name, change.action) {
        case (change.action.rawValue, _), ("as", .insert), ("version", .update), ("version", .delete): return
        case ("set", .insert), ("set", .update), ("add", .update), ("remove", .update), ("base", .update),
            ("base", .delete):
            guard case .object(let members) = member.value.content else {
                return report(place, "must be an object, not \(member.value.kindName).")
            }
            for part in members { readProperty(part, member.name, place.member(part.name), &change) }
        default:
            let known =
                switch change.action {
                case .insert: ["insert", "as", "set"]
                case .update: ["update", "version", "set", "add", "remove", "base"]
                case .delete: ["delete", "version", "base"]
                }
            report(
                change.place, unknownMember(member.name, of: "the \(Self.noun(change.action))", known))
        }
    }

    private static func noun(_ action: RequestedChange.Action) -> String {
        switch action {
        case .insert: "insertion"
        case .update: "update"
        case .delete: "deletion"
        }
    }

    private mutating func readProperty(
        _ member: JSONMember, _ verb: String, _ place: ChangePlace, _ change: inout RequestedChange
    ) {
        guard let (property, part) = property(member.name, of: change.entity, place) else { return }
        if verb == "base" { return readBase(member, property, part, &change) }
        guard checkIsWritable(property, change.entity, place) else { return }
        if let attribute = property.attribute {
            if verb == "set" { return readAttribute(member, property, attribute, part, place, &change) }
            return report(place, "\(property.name) is an attribute: write it in “set”.")
        }
        guard let relationship = property.relationship else { return }
        if relationship.description.isToMany {
            guard let verb = RequestedChange.MemberVerb(rawValue: verb) else { return }
            return readMembers(member.value, property, relationship, verb, place, &change)
        }
        if verb != "set" {
            return report(place, "\(property.name) is a to-one relationship: write it in “set”.")
        }
        if case .null = member.value.content {
            return change.references.append(.init(property: property, target: nil))
        }
        let destination = model.layouts[relationship.destinationIndex]
        if let target = target(member.value, of: destination, place) {
            change.references.append(.init(property: property, target: target))
        }
    }

    /// Returns the property with a name, or the part of a composite: `place.city`.
    private mutating func property(_ name: String, of entity: EntityLayout, _ place: ChangePlace) -> (
        PropertyLayout, part: Int?
    )? {
        if let property = entity.property(named: name) { return (property, nil) }
        let names = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        if names.count == 2, let property = entity.property(named: names[0]),
            case .composite(let parts)? = property.attribute?.type,
            let part = parts.firstIndex(where: { $0.name == names[1] })
        {
            return (property, part)
        }
        let near = nearest(to: name, among: entity.properties.map(\.name))
        report(
            place, "\(entity.name) has no such property" + (near.map { ": did you mean \($0)?" } ?? "."))
        return nil
    }

    private mutating func checkIsWritable(
        _ property: PropertyLayout, _ entity: EntityLayout, _ place: ChangePlace
    ) -> Bool {
        switch property.attribute?.storage {
        case .derived:
            report(
                place,
                "\(entity.name).\(property.name) is derived by every save: change what it is derived from.")
            return false
        case .transient:
            report(place, "\(entity.name).\(property.name) is transient, so no store contains it.")
            return false
        case .stored, nil: return true
        }
    }

    // MARK: Values

    private mutating func readAttribute(
        _ member: JSONMember, _ property: PropertyLayout, _ attribute: AttributeDescription, _ part: Int?,
        _ place: ChangePlace, _ change: inout RequestedChange
    ) {
        do {
            let value = try Self.value(member.value, property, attribute, part)
            let misfits = Self.validation(property, attribute, part)?.failures(of: value) ?? []
            guard let misfit = misfits.first(where: { $0.rule == .type || $0.rule == .capacity }),
                !value.isNull
            else {
                return change.attributes.append(
                    .init(name: member.name, property: property, part: part, value: value))
            }
            let name = misfit.part.map { "\(property.name).\($0)" } ?? member.name
            fail(change, place, name, misfit.message)
        } catch {
            switch error {
            case .unknownPart(let unknown):
                report(place.member(unknown.name), "\(property.name) has no such part.")
            case .form(let name, let form, _):
                let isPart = attribute.name != name && part == nil
                fail(
                    change, isPart ? place.member(name) : place,
                    isPart ? "\(property.name).\(name)" : member.name, "must be \(form)")
            }
        }
    }

    private mutating func fail(
        _ change: RequestedChange, _ place: ChangePlace, _ property: String, _ message: String
    ) {
        failures.append(
            ChangeFailure(
                place: place.description, object: change.label, property: property, message: message))
    }

    private static func value(
        _ node: JSONNode, _ property: PropertyLayout, _ attribute: AttributeDescription, _ part: Int?
    ) throws(AttributeForm.Misfit) -> StoredValue {
        if let part, case .composite(let parts) = attribute.type {
            return try AttributeForm.value(node, of: parts[part])
        }
        if case .null = node.content { return .null }
        let columns = try AttributeForm.columns(node, of: attribute)
        return property.value(
            ofColumns: property.columns.indices.map { columns[$0 - property.columns.lowerBound] ?? .null })
    }

    private static func validation(
        _ property: PropertyLayout, _ attribute: AttributeDescription, _ part: Int?
    ) -> ValueValidation? {
        guard let part, case .composite(let parts) = attribute.type else { return property.validation }
        return ValueValidation(parts[part])
    }

    // MARK: Members

    private mutating func readMembers(
        _ node: JSONNode, _ property: PropertyLayout, _ relationship: RelationshipLayout,
        _ verb: RequestedChange.MemberVerb, _ place: ChangePlace, _ change: inout RequestedChange
    ) {
        guard case .array(let nodes) = node.content else {
            return report(place, "must be an array of objects, not \(node.kindName).")
        }
        let destination = model.layouts[relationship.destinationIndex]
        var targets: [ChangeTarget] = []
        var seen: Set<TargetAddress> = []
        for (index, node) in nodes.enumerated() {
            guard let target = target(node, of: destination, place[index]) else { continue }
            if seen.insert(address(of: target)).inserted {
                targets.append(target)
            } else {
                report(place[index], "the object is listed twice.")
            }
        }
        change.members.append(.init(property: property, verb: verb, targets: targets))
    }

    /// An object, whichever of its entities a reference names.
    private enum TargetAddress: Hashable {
        case stored(DeletionTrace.Address)
        case inserted(Int)
    }

    private func address(of target: ChangeTarget) -> TargetAddress {
        switch target {
        case .stored(let entityIndex, let key):
            .stored(.init(rootIndex: model.layouts[entityIndex].rootIndex, key: key))
        case .inserted(let index): .inserted(index)
        }
    }

    /// Reports an update that changes nothing, and properties that a change without other errors changes in two ways.
    mutating func check(_ change: RequestedChange) {
        let (attributes, references, members) = (change.attributes, change.references, change.members)
        if change.action == .update, attributes.isEmpty, references.isEmpty, members.isEmpty {
            report(change.place, "the update changes nothing: give it “set”, “add” or “remove”.")
        }
        let whole = Set(attributes.filter { $0.part == nil }.map(\.property.name))
        for attribute in attributes where attribute.part != nil && whole.contains(attribute.property.name) {
            report(
                change.place.member("set").member(attribute.name),
                "\(attribute.property.name) is set as a whole too.")
        }
        for (name, changes) in Dictionary(grouping: members, by: \.property.name).sorted(by: {
            $0.key < $1.key
        }) {
            let replaces = changes.contains { $0.verb == .set }
            let targets = changes.flatMap { $0.targets.map(address) }
            if replaces, changes.count > 1 {
                report(change.place.member("set").member(name), "members are added or removed too.")
            } else if Set(targets).count < targets.count {
                report(change.place.member("add").member(name), "a member is added and removed.")
            }
        }
    }

    // MARK: Base values

    /// Reads a value that the caller saw; one without the form of its attribute is kept as it is, because it is only shown.
    private func readBase(
        _ member: JSONMember, _ property: PropertyLayout, _ part: Int?, _ change: inout RequestedChange
    ) {
        guard let attribute = property.attribute else {
            change.base[member.name] = baseReference(member.value)
            return
        }
        var type = attribute.type
        if let part, case .composite(let parts) = type { type = parts[part].type }
        let value = try? Self.value(member.value, property, attribute, part)
        change.base[member.name] = value?.fileValue(of: type) ?? JSONValue(member.value)
    }

    /// Returns the key of a reference, or the keys of several, as `get` prints them.
    private func baseReference(_ node: JSONNode) -> JSONValue {
        switch node.content {
        case .string(let text): (try? ObjectReference(text)).map { .number(String($0.key)) } ?? .string(text)
        case .array(let nodes): .array(nodes.map(baseReference))
        case .null, .bool, .number, .object: JSONValue(node)
        }
    }
}
