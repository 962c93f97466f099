// Making objects, and filling faults with rows.
extension ObjectGraph {
    /// The object of a row: the registered one, or a new one.
    func object(_ group: RowGroup, _ row: Int32) -> ManagedObject {
        var objects = RowObjects(group, row, in: self)
        return objects.object(row)
    }

    /// The objects of all rows of a group.
    func objects(_ group: RowGroup) -> [ManagedObject] {
        let count = group.batch.count
        if count == 0 { return [] }
        var objects = RowObjects(group, 0, in: self)
        return [ManagedObject](unsafeUninitializedCapacity: count) { found, madeCount in
            for row in 0..<count { found.initializeElement(at: row, to: objects.object(Int32(row))) }
            madeCount = count
        }
    }

    /// Lets a registered object have a row that was fetched again.
    ///
    /// A fault is filled. A loaded object goes over to the same row with what was prefetched for it; from another context rows
    /// come with what is pending there, which their versions don't tell.
    func update(_ object: ManagedObject, _ group: RowGroup, _ row: Int32) {
        if object.isFault { return fill(object, group, row) }
        if group.hasLoadedValues { keepLoadedValues(of: group, row, in: object) }
        guard group.hasRelated, object.row >= 0, object.group !== group, !parent.wantsBaseRows,
            version(of: object) == group.batch.version(at: Int(row))
        else { return }
        object.group = group
        object.row = row
    }

    /// The registered object with a key.
    ///
    /// Whoever is about to make an object asks here, since it may be one that is deleted already and that nobody has seen.
    @inline(__always)
    func registered(_ key: Int64, _ entity: EntityLayout) -> ManagedObject? {
        if hasUnseenDependents { seeDependents(rootIndex: entity.rootIndex) }
        return identities.object(key, rootIndex: entity.rootIndex)
    }

    /// The registered object with a key, or a fault.
    func fault(_ key: Int64, _ entity: EntityLayout) -> ManagedObject {
        if let known = registered(key, entity) { return known }
        noteLooseFault(key, entity)
        return make(ObjectOrigin(graph: self, entity: entity, key: key, state: .unchanged))
    }

    /// The registered object with a key, or a fault; where only a row can tell the class, the row is fetched.
    ///
    /// Nil when there is no such row.
    func resolve(_ key: Int64, _ entity: EntityLayout) throws -> ManagedObject? {
        if let known = registered(key, entity) { return known }
        if !entity.hasSubentities { return fault(key, entity) }
        let batch = try parent.rows([key], entityIndex: entity.index)
        return batch.count == 1 ? object(RowGroup(batch), 0) : nil
    }

    /// Makes an object of its entity's class and registers it.
    func make(_ origin: ObjectOrigin) -> ManagedObject {
        let objectClass = origin.entityReference.withUncounted { $0.objectClass }
        let object = objectClass.init(birth: ObjectBirth(origin))
        identities.register(object)
        return object
    }

    /// Gives a fault its row; lets go of it where that is a row of another entity, whose columns lie elsewhere.
    func fill(_ object: ManagedObject, _ group: RowGroup, _ row: Int32) {
        let entity = model.layouts[group.batch.entityIndex(at: Int(row))]
        if !object.isOf(entity) { return part(from: object, entity) }
        object.group = group
        object.row = row
        awake(object)
    }

    /// Lets go of an object that was made because something led to its key, where that is the key of another entity's row.
    ///
    /// No save of ours leaves such a reference, and no foreign key keeps others from it.
    func part(from object: ManagedObject, _ entity: EntityLayout) {
        keep(mistaken(object.objectID, object.entity, for: entity))
        lose(object)
    }

    /// Something leads to an identifier as to one entity's, and it is another's.
    func mistaken(_ id: ObjectID, _ entity: EntityLayout, for actual: EntityLayout) -> StoreError {
        StoreError(
            .corrupt, "Something leads to \(id) as to \(entity.name), and it is \(actual.name).",
            remedy: "Correct the reference in the database.")
    }

    /// Turns an object into a fault again; what was changed in it is lost.
    func turnIntoFault(_ object: ManagedObject) {
        object.group = nil
        object.row = -1
        object.overlay = nil
        if object.state == .updated { object.state = .unchanged }
        noteLooseFault(object.key, object.entity)
    }

    /// Lets an object be no part of the context any more.
    func lose(_ object: ManagedObject) {
        object.state = .detached
        object.overlay = nil
        identities.forget(object)
        deletionCount += 1
        if isObserved { didChangeAll(object) }
    }

    /// Whether a property of an object was changed here and there: then the value that it was changed from is a change too, as the store
    /// has another one by now.
    @inline(__always)
    func isContested(_ object: ManagedObject, _ slot: Int) -> Bool {
        !contested.isEmpty && contested[object]?.contains(slot) == true
    }

    /// Lets an object that has got a row do what its class does then.
    func awake(_ object: ManagedObject) {
        guard object.hasObjectClass else { return }
        let outer = awaking
        awaking = ObjectIdentifier(object)
        object.awakeFromFetch()
        awaking = outer
    }

    /// Takes faults that no fetch led to, which are worth firing together with another one.
    func takeLooseFaults(of entity: EntityLayout, atMost count: Int) -> [Int64] {
        identities.takeLooseFaults(rootIndex: entity.rootIndex, atMost: count) { isLooseFault($0, entity) }
    }

    /// Notes a fault that no fetch led to.
    func noteLooseFault(_ key: Int64, _ entity: EntityLayout) {
        identities.noteLooseFault(key, rootIndex: entity.rootIndex) { isLooseFault($0, entity) }
    }

    private func isLooseFault(_ key: Int64, _ entity: EntityLayout) -> Bool {
        guard let object = identities.object(key, rootIndex: entity.rootIndex) else { return false }
        return object.isFault && object.group == nil
    }

    /// What happens when an object's row is not in the store any more: an error, or, by policy, a deleted object.
    func inaccessible(_ object: ManagedObject) -> StoreError {
        StoreError(
            .objectNotFound, "\(object.entity.name) \(object.objectID) is not in the store any more.",
            remedy: "Refresh the context, or use existingObject(with:) where an object may be gone.")
    }
}

extension ObjectGraph {
    /// What a required to-one relationship leads to while it leads nowhere: an object that is not part of the context.
    func detachedObject<Target: ManagedObject>(of type: Target.Type, for object: ManagedObject, slot: Int)
        -> Target
    {
        let destination = object.entity.properties[slot].relationship.map {
            model.layouts[$0.destinationIndex]
        }
        return Target(
            birth: ObjectBirth(
                ObjectOrigin(
                    graph: self, entity: destination ?? object.entity, key: temporaryKey(), state: .detached))
        )
    }
}

extension ObjectGraph {
    /// Objects as the class that a request asks for.
    func typed<Object: ManagedObject>(
        _ objects: [ManagedObject], of entity: EntityLayout, as type: Object.Type
    ) -> [Object] {
        let isOneClass = !entity.hasSubentities && entity.objectClass == type
        if !isOneClass, objects.contains(where: { Swift.type(of: $0) != type }) {
            return objects.map { typed($0, as: type) }
        }
        // An array of references, all of which are of the class: its entity makes no others, or they have just been looked at.
        return unsafeBitCast(objects, to: [Object].self)
    }

    /// An object as the class that a request asks for.
    func typed<Object: ManagedObject>(_ object: ManagedObject, as type: Object.Type) -> Object {
        // The common case by one comparison: a cast asks the runtime.
        if Swift.type(of: object) == type { return unsafeDowncast(object, to: type) }
        guard let typed = object as? Object else {
            programmingError(
                "\(object.entity.name)'s objects are of \(Swift.type(of: object)), not of \(type). Make the store's model of "
                    + "its classes, or fetch ManagedObject.")
        }
        return typed
    }
}
