import ContextCore

/// Applies requested changes to the objects of a context, and saves them.
struct ChangeApplication {
    let request: ChangeRequest
    let context: ObjectContext
    /// The objects of the changes, by their index.
    private var objects: [Int: ManagedObject] = [:]
    /// The stored objects that the changes name.
    private var stored: [DeletionTrace.Address: ManagedObject] = [:]
    private var failures: [ChangeFailure]

    init(_ request: ChangeRequest, in context: ObjectContext) {
        self.request = request
        self.context = context
        failures = request.failures
    }

    /// Applies the changes, in their order and deletions last, and saves once.
    ///
    /// The caller rolls the transaction back unless the outcome is valid.
    ///
    /// - Throws: Errors of the store, and conflicts with a save that was committed after the versions were compared.
    mutating func run() throws -> ChangeOutcome {
        var outcome = ChangeOutcome()
        reportForeignObjects()
        // The keys of another store's objects are those of other objects here, or of none, so nothing else can be compared.
        if failures.count > request.failures.count {
            outcome.failures = failures
            return outcome
        }
        try load()
        outcome.conflicts = try findConflicts()
        if outcome.conflicts.isEmpty {
            reportMissingTargets()
            try insertObjects()
            for (index, change) in request.changes.enumerated() {
                if let object = objects[index] { assign(change, to: object) }
            }
            deleteObjects()
            try save(&outcome)
        }
        outcome.failures = failures
        return outcome
    }

    // MARK: Stored objects

    /// Loads all objects that the changes name, with one query for each inheritance tree.
    private mutating func load() throws {
        var keys: [Int: Set<Int64>] = [:]
        for change in request.changes {
            if let address = change.address { keys[address.rootIndex, default: []].insert(address.key) }
            for (_, target) in Self.targets(of: change) {
                guard case .stored(let entityIndex, let key) = target else { continue }
                keys[context.model.layouts[entityIndex].rootIndex, default: []].insert(key)
            }
        }
        for (rootIndex, keys) in keys {
            let found = try context.objects(withKeys: keys, of: context.model.layouts[rootIndex])
            for (key, object) in found { stored[.init(rootIndex: rootIndex, key: key)] = object }
        }
        for (index, change) in request.changes.enumerated() {
            guard let address = change.address, let object = stored[address],
                object.entityLayout.isKind(of: change.entity)
            else { continue }
            objects[index] = object
        }
    }

    /// Returns the targets of a change, with their places.
    private static func targets(of change: RequestedChange) -> [(ChangePlace, ChangeTarget)] {
        let references = change.references.compactMap { reference in
            reference.target.map { (change.place.member("set").member(reference.property.name), $0) }
        }
        return references
            + change.members.flatMap { members in
                let place = change.place.member(members.verb.rawValue).member(members.property.name)
                return members.targets.enumerated().map { (place[$0.offset], $0.element) }
            }
    }

    private func storedTarget(_ target: ChangeTarget) -> ManagedObject? {
        switch target {
        case .inserted(let index): return objects[index]
        case .stored(let entityIndex, let key):
            let entity = context.model.layouts[entityIndex]
            guard let object = stored[.init(rootIndex: entity.rootIndex, key: key)],
                object.entityLayout.isKind(of: entity)
            else { return nil }
            return object
        }
    }

    /// Reports the URIs of objects of another store.
    private mutating func reportForeignObjects() {
        for uri in request.uris where uri.storeID != context.storeID {
            failures.append(
                ChangeFailure(
                    place: uri.place.description, object: uri.text, property: nil,
                    message: "is an object of another store"))
        }
    }

    private mutating func reportMissingTargets() {
        for change in request.changes {
            for (place, target) in Self.targets(of: change) {
                guard case .stored(let entityIndex, let key) = target, storedTarget(target) == nil else {
                    continue
                }
                let name = "\(context.model.layouts[entityIndex].name):\(key)"
                failures.append(
                    ChangeFailure(
                        place: place.description, object: change.label,
                        property: place.propertyName, message: "refers to \(name), which does not exist"))
            }
        }
    }

    // MARK: Conflicts

    /// Compares the versions that the caller saw with those of the store.
    private mutating func findConflicts() throws -> [ChangeConflict] {
        var conflicts: [ChangeConflict] = []
        for (index, change) in request.changes.enumerated() where change.action != .insert {
            if let object = objects[index] {
                guard let version = change.version, version != context.version(of: object) else { continue }
                conflicts.append(
                    try ConflictComparison(request: request, context: context).conflict(change, object))
            } else if change.version != nil {
                conflicts.append(
                    ChangeConflict(
                        place: change.place.description, object: change.label, version: nil, properties: []))
            } else {
                failures.append(
                    ChangeFailure(
                        place: change.place.description, object: change.label, property: nil,
                        message: "does not exist"))
            }
        }
        return conflicts
    }

    // MARK: Changes

    private mutating func insertObjects() throws {
        for (index, change) in request.changes.enumerated() where change.action == .insert {
            objects[index] = try context.insert(change.entity.name)
        }
    }

    /// Assigns the new values of a change; a deletion has none.
    private mutating func assign(_ change: RequestedChange, to object: ManagedObject) {
        for attribute in change.attributes {
            attempt(change, .set, attribute.name) { try Self.set(attribute, of: object) }
        }
        for reference in change.references {
            let target = reference.target.map(storedTarget)
            // A missing target is a failure already.
            if case .some(.none) = target { continue }
            attempt(change, .set, reference.property.name) {
                try object.set(reference.property.name, to: target.flatMap(\.self))
            }
        }
        for members in change.members {
            let targets = members.targets.compactMap(storedTarget)
            attempt(change, members.verb, members.property.name) {
                try Self.change(members, of: object, targets)
            }
        }
    }

    private static func set(_ attribute: RequestedChange.AttributeChange, of object: ManagedObject) throws {
        guard let part = attribute.part, case .composite(let parts)? = attribute.property.attribute?.type
        else {
            return try object.set(attribute.property.name, toStored: attribute.value)
        }
        var values = Array(repeating: StoredValue.null, count: parts.count)
        if case .composite(let present) = try object[attribute.property.name], present.count == parts.count {
            values = present
        }
        values[part] = attribute.value
        // An optional composite whose parts are all null is nil in the store.
        let isNil = attribute.property.attribute?.isOptional == true && values.allSatisfy(\.isNull)
        try object.set(attribute.property.name, toStored: isNil ? .null : .composite(values))
    }

    private static func change(
        _ members: RequestedChange.MemberChange, of object: ManagedObject, _ targets: [ManagedObject]
    ) throws {
        if members.verb == .set { return try object.set(members.property.name, to: targets) }
        let handle = try object.members(named: members.property.name)
        for target in targets {
            if members.verb == .add { try handle.insert(target) } else { try handle.remove(target) }
        }
    }

    /// Runs a closure that changes a property; an error about the value is a failure.
    private mutating func attempt(
        _ change: RequestedChange, _ verb: RequestedChange.MemberVerb, _ name: String,
        _ body: () throws -> Void
    ) {
        do {
            try body()
        } catch {
            let message = (error as? StoreError)?.message ?? "\(error)"
            failures.append(
                ChangeFailure(
                    place: change.place.member(verb.rawValue).member(name).description, object: change.label,
                    property: name, message: "can't be changed: \(message)"))
        }
    }

    private mutating func deleteObjects() {
        for (index, change) in request.changes.enumerated() where change.action == .delete {
            if let object = objects[index] { context.delete(object) }
        }
        for (index, change) in request.changes.enumerated() where change.action == .insert {
            guard objects[index]?.objectState == .detached else { continue }
            failures.append(
                ChangeFailure(
                    place: change.place.description, object: change.label, property: nil,
                    message: "would be deleted at once, because it depends on an object that is deleted"))
        }
    }

    // MARK: Saving

    private mutating func save(_ outcome: inout ChangeOutcome) throws {
        do {
            try context.save()
        } catch let error as StoreError
            where [.validation, .duplicate, .missingReference].contains(error.code)
        {
            let reading = SaveFailureReading(request: request, objects: objects)
            let known = Set(failures.map { [$0.object, $0.property ?? ""] })
            failures += reading.failures(error).filter { !known.contains([$0.object, $0.property ?? ""]) }
            return
        }
        ChangeEffects(request: request, objects: objects, context: context).describe(in: &outcome)
    }
}

extension ChangePlace {
    /// The name of the property in the place of a target: `tags` of `changes[0].add.tags[2]`.
    fileprivate var propertyName: String {
        let last = description.split(separator: ".").last.map(String.init) ?? description
        return String(last.prefix { $0 != "[" })
    }
}
