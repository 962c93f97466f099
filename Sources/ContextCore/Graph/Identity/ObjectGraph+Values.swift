// Reads and writes properties.
extension ObjectGraph {
    /// Returns the committed value of an attribute, and loads the object if it is a fault.
    ///
    /// If that fails, it returns null, and the next fetch or save throws the error.
    func committedValue(of object: ManagedObject, slot: Int) -> StoredValue {
        if let probe { return probe.storedValue(slot, of: object) }
        let place = object.location(of: slot)
        if place.column < 0 { return object.entity.properties[slot].valueWithoutColumn }
        guard object.state != .inserted, ensureLoaded(object), let group = object.groupReference else {
            return .null
        }
        if object.mayHaveDeferredValues, isDeferred(place.column, of: object) {
            return deferredValue(of: object, slot: slot)
        }
        return group.withUnretained { group in
            place.isSimpleAttribute
                ? group.batch.value(place.column, at: Int(object.row))
                : group.batch.storedValue(of: object.entity.properties[slot], at: Int(object.row))
        }
    }

    private func isDeferred(_ column: Int, of object: ManagedObject) -> Bool {
        object.group?.batch.isDeferred(column, at: Int(object.row)) == true
    }

    /// Loads and returns a value that was not fetched with its row.
    private func deferredValue(of object: ManagedObject, slot: Int) -> StoredValue {
        let property = object.entity.properties[slot]
        do {
            if let group = object.group, object.state != .detached,
                group.loadedValue(property.columns.lowerBound, at: Int(object.row)) == nil
            {
                try faulting.check("\(object.entity.name).\(property.name)", fetchedAt: group.site)
            }
            return committedRawValue(of: object, property)
        } catch {
            deferError(error)
            return .null
        }
    }

    /// Returns the committed key of a to-one relationship.
    func committedKey(of object: ManagedObject, slot: Int) -> Int64? {
        guard object.state != .inserted, ensureLoaded(object), let group = object.group else { return nil }
        return group.batch.reference(object.location(of: slot), at: Int(object.row))
    }

    /// Loads an object if it is a fault.
    ///
    /// - Returns: False if there is no row, or if loading failed; the next fetch or save then throws the error.
    func ensureLoaded(_ object: ManagedObject) -> Bool {
        if object.row >= 0 { return true }
        if !object.isFault { return false }
        do {
            try FaultLoader(graph: self).fire(object)
            return true
        } catch {
            deferError(error)
            return false
        }
    }

    /// Loads an object if it is a fault, and throws deferred errors and errors of loading.
    func load(_ object: ManagedObject) throws {
        try throwDeferredError()
        try FaultLoader(graph: self).fire(object)
    }

    /// Runs a closure whose reads are exempt from the faulting policy.
    func withoutFaultingPolicy<Value>(_ body: () throws -> Value) rethrows -> Value {
        let mode = faulting.mode
        faulting.mode = .automatic
        defer { faulting.mode = mode }
        return try body()
    }

    /// Stores an error that a property access can't throw, for the next fetch or save, unless an earlier error is
    /// stored.
    func deferError(_ error: any Error) {
        if probe == nil, deferredError == nil { deferredError = error }
    }

    /// Prepares for a read: throws the deferred error, loads dependents of deleted objects, and merges commits of the store.
    ///
    /// - Parameter entity: The only entity that is read; nil for all.
    func prepareToRead(about entity: EntityLayout? = nil) throws {
        try throwDeferredError()
        CycleCollector(graph: self).collectIfDue()
        if hasUnloadedDependents {
            if let entity { loadDependents(rootIndex: entity.rootIndex) } else { loadDependents() }
            try throwDeferredError()
        }
        try ChangeMerging(graph: self).mergeInbox()
    }

    /// Throws the deferred error, if any, and clears it.
    func throwDeferredError() throws {
        if let error = deferredError {
            deferredError = nil
            throw error
        }
    }

    /// Returns the target of a to-one relationship; nil if it is deleted.
    func target(of object: ManagedObject, slot: Int) -> ManagedObject? {
        if reportsToObservation { reportAccess(to: object, slot: slot) }
        guard let target = rawTarget(of: object, slot: slot), target.isLive, !isDeletedInParent(target) else {
            return nil
        }
        return target
    }

    /// Returns the target of a to-one relationship; nil if it is deleted, also if another context has deleted it.
    func existingTarget(of object: ManagedObject, slot: Int) throws -> ManagedObject? {
        if reportsToObservation { reportAccess(to: object, slot: slot) }
        let target = rawTarget(of: object, slot: slot, mayBeMissing: true)
        try throwDeferredError()
        guard let target, target.isLive, !isDeletedInParent(target),
            try FaultLoader(graph: self).exists(target)
        else { return nil }
        return target
    }

    /// Whether an object that is not loaded is marked as deleted in a parent context, so that it can't be fetched.
    private func isDeletedInParent(_ object: ManagedObject) -> Bool {
        object.isFault && parent.isMarkedDeleted(object.key, rootIndex: object.rootIndex)
    }

    /// Returns the target of a to-one relationship, even if it is deleted.
    ///
    /// - Parameter mayBeMissing: Whether a target without a row is no error.
    func rawTarget(of object: ManagedObject, slot: Int, mayBeMissing: Bool = false) -> ManagedObject? {
        if let overlay = object.overlay, case .object(let target) = overlay.slots[slot] { return target }
        guard object.state != .inserted, ensureLoaded(object), let group = object.group else { return nil }
        guard let key = group.batch.reference(object.location(of: slot), at: Int(object.row)),
            let relationship = object.entity.properties[slot].relationship
        else { return nil }
        return referencedObject(key, relationship, slot: slot, from: group, mayBeMissing: mayBeMissing)
    }

    private func referencedObject(
        _ key: Int64, _ relationship: RelationshipLayout, slot: Int, from group: RowGroup, mayBeMissing: Bool
    ) -> ManagedObject? {
        let destination = model.layouts[relationship.destinationIndex]
        if let known = registeredObject(key, destination) {
            if known.isExactly(destination) || known.entity.isKind(of: destination) { return known }
            deferError(entityMismatchError(known.objectID, destination, for: known.entity))
            return nil
        }
        if let (rows, row) = group.reference(key, slot: slot, epoch: epoch(of: relationship)) {
            return self.object(rows, row)
        }
        let origin = ObjectOrigin(
            graph: self, entity: destination, key: key, group: group, row: Int32(-2 - slot), state: .unchanged
        )
        if !relationship.isPolymorphic { return make(origin) }
        if parent.isMarkedDeleted(key, rootIndex: destination.rootIndex) { return nil }
        return polymorphicTarget(origin, mayBeMissing: mayBeMissing)
    }

    /// Fetches the target of a relationship to an entity with subentities, because its class depends on the row.
    private func polymorphicTarget(_ origin: ObjectOrigin, mayBeMissing: Bool) -> ManagedObject? {
        do {
            return try FaultLoader(graph: self).fetchPolymorphicTarget(origin, mayBeMissing: mayBeMissing)
        } catch {
            deferError(error)
            return nil
        }
    }

    /// Returns the state of a to-many relationship, loaded or not.
    func collection(of object: ManagedObject, slot: Int) -> ToManyState {
        let overlay = overlay(of: object)
        if case .collection(let state) = overlay.slots[slot] { return state }
        let description = object.entity.properties[slot].relationship?.description
        let state = ToManyState(
            isOrdered: description?.isOrdered ?? false,
            isLoaded: object.state == .inserted || object.state == .detached)
        overlay.slots[slot] = .collection(state)
        return state
    }

    /// Returns the state of a to-many relationship, and loads it if necessary.
    func loadedCollection(of object: ManagedObject, slot: Int) -> ToManyState {
        if reportsToObservation { reportAccess(to: object, slot: slot) }
        let state = collection(of: object, slot: slot)
        if state.isCurrent { return state }
        do {
            try FaultLoader(graph: self).load(state, of: object, slot: slot)
        } catch {
            deferError(error)
        }
        return state
    }

    /// Returns an object's overlay, and creates it on first use.
    func overlay(of object: ManagedObject) -> Overlay {
        // Unretained: the object retains it.
        overlayReference(of: object).takeUnretainedValue()
    }

    /// Like ``overlay(of:)``, without reference counting: the object must retain its overlay during the access.
    @inline(__always)
    func overlayReference(of object: ManagedObject) -> Unmanaged<Overlay> {
        if let overlay = object.overlayReference { return overlay }
        let overlay = Overlay.make(count: object.slotCount)
        object.overlay = overlay
        // Unretained, as above.
        return .passUnretained(overlay)
    }

    /// Whether a new value needs nothing but the write.
    ///
    /// No change is observed, recorded for undo, or made in `awakeFromFetch`.
    @inline(__always)
    var canWriteDirectly: Bool { !isObserved && !recordsUndo && awaking == nil }

    /// Writes a slot, records the change for undo, and notifies observers.
    func change(_ object: ManagedObject, _ slot: Int, to value: SlotValue) {
        if awaking == ObjectIdentifier(object), object.entity.properties[slot].relationship == nil {
            return setClean(object, slot, at: value)
        }
        if isObserved { willChange(object, slot: slot) }
        // Before the write, because recording may create objects, whose hooks may release an empty overlay.
        if recordsUndo { recordOldValue(object, slot) }
        overlayReference(of: object).withUnretained { $0.slots[slot] = value }
        updateState(of: object, isDirty: value.isDirty)
        if isObserved { didChange(object, slot: slot) }
    }

    /// Sets an attribute without marking it dirty, as in `awakeFromFetch`; a pending change takes precedence.
    private func setClean(_ object: ManagedObject, _ slot: Int, at value: SlotValue) {
        let overlay = overlay(of: object)
        if overlay.slots[slot].isDirty { return }
        if case .value(let value) = value {
            overlay.slots[slot] = .clean(value)
        } else {
            overlay.slots[slot] = .unchanged
        }
        if overlay.isEmpty { object.overlay = nil }
    }

    /// Records a slot's old value for undo.
    private func recordOldValue(_ object: ManagedObject, _ slot: Int) {
        let wasChanged = object.overlay?.slots[slot].isDirty == true
        if object.entity.properties[slot].relationship != nil {
            undo?.record(
                .reference(
                    object, slot: slot, old: rawTarget(of: object, slot: slot), wasChanged: wasChanged))
        } else {
            // If the old value can't be loaded, undo returns to the stored one.
            undo?.record(
                canLoad(object.entity.properties[slot], of: object)
                    ? .attribute(
                        object, slot: slot, old: object.storedValue(at: slot), wasChanged: wasChanged)
                    : .committed(object, slot: slot))
        }
    }

    /// Runs changes that undo doesn't record, such as those of a merge.
    func withoutUndo<Value>(_ body: () throws -> Value) rethrows -> Value {
        guard let log = undo else { return try body() }
        undo = nil
        defer { undo = log }
        return try body()
    }

    /// Updates an object's state after a change of its overlay.
    ///
    /// - Parameter isDirty: True if a slot is certainly dirty, which avoids a check of the overlay.
    func updateState(of object: ManagedObject, isDirty: Bool = false) {
        changeCount += 1
        switch object.state {
        case .unchanged:
            if isDirty || object.overlay?.isDirty == true {
                object.state = .updated
                changes.track(object)
            }
        case .updated:
            if !isDirty, object.overlay?.isDirty != true { object.state = .unchanged }
        case .inserted, .deleted, .detached: break
        }
    }
}
