public import Observation

extension ManagedObject: Observable {
    /// A key path for each slot, so that Observation needs no key paths of the properties.
    fileprivate subscript(observed slot: Int) -> Int { slot }
}

// Reports to Observation, in an observed context.
extension ObjectGraph {
    func reportAccess(to object: ManagedObject, slot: Int) {
        guard reportsToObservation else { return }
        registrar(of: object).access(object, keyPath: \.[observed: slot])
    }

    func willChange(_ object: ManagedObject, slot: Int) {
        guard reportsToObservation else { return }
        registrar(of: object).willSet(object, keyPath: \.[observed: slot])
    }

    func didChange(_ object: ManagedObject, slot: Int) {
        recordChange(object, slot: slot)
        for watcher in watchers[ObjectIdentifier(object)] ?? [] where watcher.slot == slot {
            watcher.signal.raise()
        }
        guard reportsToObservation else { return }
        registrar(of: object).didSet(object, keyPath: \.[observed: slot])
    }

    /// Reports that all properties of an object may have changed.
    func didChangeAll(_ object: ManagedObject) {
        guard isObserved else { return }
        recordChange(object)
        for watcher in watchers[ObjectIdentifier(object)] ?? [] { watcher.signal.raise() }
        guard registrars[ObjectIdentifier(object)] != nil else { return }
        for slot in object.entity.properties.indices {
            willChange(object, slot: slot)
            didChange(object, slot: slot)
        }
    }

    /// Removes the observers of an object that is being deallocated.
    func removeObservers(of object: ManagedObject) {
        let key = ObjectIdentifier(object)
        registrars[key] = nil
        for watcher in watchers.removeValue(forKey: key) ?? [] { watcher.signal.end() }
    }

    /// Ends all sequences of property values that `changes(of:)` returned.
    func endWatches() {
        if watchers.isEmpty { return }
        for watcher in watchers.values.joined() { watcher.signal.end() }
        watchers = [:]
    }

    private func registrar(of object: ManagedObject) -> ObservationRegistrar {
        if let known = registrars[ObjectIdentifier(object)] { return known }
        let registrar = ObservationRegistrar()
        registrars[ObjectIdentifier(object)] = registrar
        return registrar
    }
}
