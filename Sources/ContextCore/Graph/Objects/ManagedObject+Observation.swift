public import Observation

extension ManagedObject: Observable {
    /// Stands for one property in what Observation is told, so that no key path has to be known for it.
    fileprivate subscript(observed slot: Int) -> Int { slot }
}

// What Observation is told, in a context that is observed.
extension ObjectGraph {
    func noteAccess(to object: ManagedObject, slot: Int) {
        registrar(of: object).access(object, keyPath: \.[observed: slot])
    }

    func willChange(_ object: ManagedObject, slot: Int) {
        registrar(of: object).willSet(object, keyPath: \.[observed: slot])
    }

    func didChange(_ object: ManagedObject, slot: Int) {
        registrar(of: object).didSet(object, keyPath: \.[observed: slot])
    }

    /// Tells that all of an object may have changed.
    func didChangeAll(_ object: ManagedObject) {
        guard isObserved, registrars[ObjectIdentifier(object)] != nil else { return }
        for slot in object.entity.properties.indices {
            willChange(object, slot: slot)
            didChange(object, slot: slot)
        }
    }

    private func registrar(of object: ManagedObject) -> ObservationRegistrar {
        if let known = registrars[ObjectIdentifier(object)] { return known }
        let registrar = ObservationRegistrar()
        registrars[ObjectIdentifier(object)] = registrar
        return registrar
    }
}
