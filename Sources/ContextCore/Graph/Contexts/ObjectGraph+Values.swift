// Reading and writing properties, whatever lies under them.
extension ObjectGraph {
    /// The committed value of an attribute.
    ///
    /// Fires a fault; an error is kept for the next fetch or save.
    func committedValue(of object: ManagedObject, slot: Int) -> StoredValue {
        if let probe { return probe.storedValue(slot, of: object) }
        let place = object.place(of: slot)
        if place.column < 0 { return object.entity.properties[slot].valueWithoutColumn }
        guard object.state != .inserted, ensureLoaded(object), let group = object.groupReference else {
            return .null
        }
        if object.mayHaveDeferredValues, isDeferred(place.column, of: object) {
            return deferredValue(of: object, slot: slot)
        }
        return group.withUncounted { group in
            place.isValue
                ? group.batch.value(place.column, at: Int(object.row))
                : group.batch.storedValue(of: object.entity.properties[slot], at: Int(object.row))
        }
    }

    private func isDeferred(_ column: Int, of object: ManagedObject) -> Bool {
        object.group?.batch.isDeferred(column, at: Int(object.row)) == true
    }

    /// A value that was not fetched with its row, which is loaded as a fault would be.
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
            keep(error)
            return .null
        }
    }

    /// The committed key of a to-one relationship.
    func committedKey(of object: ManagedObject, slot: Int) -> Int64? {
        guard object.state != .inserted, ensureLoaded(object), let group = object.group else { return nil }
        return group.batch.reference(object.place(of: slot), at: Int(object.row))
    }

    /// Fires a fault.
    ///
    /// Returns false, and keeps the error, if there is nothing to be read.
    func ensureLoaded(_ object: ManagedObject) -> Bool {
        if object.row >= 0 { return true }
        if !object.isFault { return false }
        do {
            try FaultLoader(graph: self).fire(object)
            return true
        } catch {
            keep(error)
            return false
        }
    }

    /// Fires a fault and throws what keeps it from being fired.
    func load(_ object: ManagedObject) throws {
        try throwDeferredError()
        try FaultLoader(graph: self).fire(object)
    }

    /// Does what a child asks for, who has a policy of its own.
    func withoutFaultingPolicy<Value>(_ body: () throws -> Value) rethrows -> Value {
        let mode = faulting.mode
        faulting.mode = .automatic
        defer { faulting.mode = mode }
        return try body()
    }

    /// Keeps an error that a property can't throw; the first one counts.
    func keep(_ error: any Error) {
        if probe == nil, deferredError == nil { deferredError = error }
    }

    /// Begins what may fetch: throws what could not be thrown before, and follows the store, if the context does.
    ///
    /// - Parameter entity: What alone is asked about; nil for anything.
    func begin(about entity: EntityLayout? = nil) throws {
        try throwDeferredError()
        PairCollection(graph: self).collectIfDue()
        if hasUnseenDependents {
            if let entity { seeDependents(rootIndex: entity.rootIndex) } else { seeDependents() }
            try throwDeferredError()
        }
        try ChangeMerging(graph: self).pull()
    }

    /// Throws the error that a property could not throw.
    func throwDeferredError() throws {
        if let error = deferredError {
            deferredError = nil
            throw error
        }
    }

    /// What a to-one relationship leads to.
    func target(of object: ManagedObject, slot: Int) -> ManagedObject? {
        if reportsToObservation { noteAccess(to: object, slot: slot) }
        guard let target = rawTarget(of: object, slot: slot), target.isKept, !isGoneAbove(target) else {
            return nil
        }
        return target
    }

    /// Whether an object that was not fetched yet is to be deleted in a context above, so that it can't be.
    private func isGoneAbove(_ object: ManagedObject) -> Bool {
        object.isFault && parent.isGone(object.key, rootIndex: object.rootIndex)
    }

    /// What a to-one relationship leads to, even if that is deleted.
    func rawTarget(of object: ManagedObject, slot: Int) -> ManagedObject? {
        if let overlay = object.overlay, case .object(let target) = overlay.slots[slot] { return target }
        guard object.state != .inserted, ensureLoaded(object), let group = object.group else { return nil }
        guard let key = group.batch.reference(object.place(of: slot), at: Int(object.row)),
            let relationship = object.entity.properties[slot].relationship
        else { return nil }
        return referred(key, relationship, slot: slot, from: group)
    }

    private func referred(
        _ key: Int64, _ relationship: RelationshipLayout, slot: Int, from group: RowGroup
    ) -> ManagedObject? {
        let destination = model.layouts[relationship.destinationIndex]
        if let known = registered(key, destination) {
            if known.isOf(destination) || known.entity.isKind(of: destination) { return known }
            keep(mistaken(known.objectID, destination, for: known.entity))
            return nil
        }
        if let (rows, row) = group.reference(key, slot: slot, epoch: epoch(of: relationship)) {
            return self.object(rows, row)
        }
        let origin = ObjectOrigin(
            graph: self, entity: destination, key: key, group: group, row: Int32(-2 - slot), state: .unchanged
        )
        if !relationship.isPolymorphic { return make(origin) }
        return parent.isGone(key, rootIndex: destination.rootIndex) ? nil : polymorphicTarget(origin)
    }

    /// A key alone doesn't tell the class of an object whose entity has subentities, so its row is fetched at once.
    private func polymorphicTarget(_ origin: ObjectOrigin) -> ManagedObject? {
        do {
            return try FaultLoader(graph: self).polymorphic(origin)
        } catch {
            keep(error)
            return nil
        }
    }

    /// What is known of a to-many relationship, loaded or not.
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

    /// A to-many relationship with everybody who is in it.
    func loadedCollection(of object: ManagedObject, slot: Int) -> ToManyState {
        if reportsToObservation { noteAccess(to: object, slot: slot) }
        let state = collection(of: object, slot: slot)
        if state.isCurrent { return state }
        do {
            try FaultLoader(graph: self).load(state, of: object, slot: slot)
        } catch {
            keep(error)
        }
        return state
    }

    /// The object's overlay, made when it is needed first.
    func overlay(of object: ManagedObject) -> Overlay {
        // Unretained: the object has it.
        overlayReference(of: object).takeUnretainedValue()
    }

    /// The same for a look during which the object certainly keeps it.
    @inline(__always)
    func overlayReference(of object: ManagedObject) -> Unmanaged<Overlay> {
        if let overlay = object.overlayReference { return overlay }
        let overlay = Overlay.make(count: object.slotCount)
        object.overlay = overlay
        // Unretained, as above.
        return .passUnretained(overlay)
    }

    /// Whether nobody wants to hear of changes, before or after.
    @inline(__always)
    var changesArePlain: Bool { !isObserved && !notesUndo && awaking == nil }

    /// Writes a slot, and notes the change wherever changes are noted.
    func change(_ object: ManagedObject, _ slot: Int, to value: SlotValue) {
        if awaking == ObjectIdentifier(object), object.entity.properties[slot].relationship == nil {
            return settle(object, slot, at: value)
        }
        if isObserved { willChange(object, slot: slot) }
        // Before: to record what was may make objects, whose hooks may let go of an overlay that says nothing.
        if notesUndo { recordOld(object, slot) }
        overlayReference(of: object).withUncounted { $0.slots[slot] = value }
        noteChange(of: object, isDirty: value.isDirty)
        if isObserved { didChange(object, slot: slot) }
    }

    /// Writes an attribute in passing, as `awakeFromFetch` does: that is no change, and doesn't go before a pending one.
    private func settle(_ object: ManagedObject, _ slot: Int, at value: SlotValue) {
        let overlay = overlay(of: object)
        if overlay.slots[slot].isDirty { return }
        if case .value(let value) = value {
            overlay.slots[slot] = .settled(value)
        } else {
            overlay.slots[slot] = .unchanged
        }
        if overlay.isEmpty { object.overlay = nil }
    }

    /// Notes what a slot was, for undo.
    private func recordOld(_ object: ManagedObject, _ slot: Int) {
        let wasChanged = object.overlay?.slots[slot].isDirty == true
        if object.entity.properties[slot].relationship != nil {
            undo?.record(
                .reference(
                    object, slot: slot, old: rawTarget(of: object, slot: slot), wasChanged: wasChanged))
        } else {
            // What can't be loaded is what the store has.
            undo?.record(
                canLoad(object.entity.properties[slot], of: object)
                    ? .attribute(
                        object, slot: slot, old: object.storedValue(at: slot), wasChanged: wasChanged)
                    : .committed(object, slot: slot))
        }
    }

    /// Runs changes that the undo history doesn't record, such as those of a merge.
    func withoutUndo<Value>(_ body: () throws -> Value) rethrows -> Value {
        guard let log = undo else { return try body() }
        undo = nil
        defer { undo = log }
        return try body()
    }

    /// Lets the object's state follow from what lies over its committed values.
    ///
    /// - Parameter isDirty: Whether something differs for certain, so that nobody has to look.
    func noteChange(of object: ManagedObject, isDirty: Bool = false) {
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
