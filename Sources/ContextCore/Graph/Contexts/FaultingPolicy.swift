/// Says what happens when something is touched that has not been fetched.
///
/// It is about what the program touches. What a save, a deletion or a fetch with pending changes has to look at is fetched
/// whatever this says.
public enum Faulting: Sendable {
    /// It is fetched, together with its siblings.
    case automatic
    /// It is fetched, and a warning names entity, relationship and call site.
    case warn
    /// It is not fetched: the next fetch or save throws ``StoreError/Code/faultForbidden``.
    case forbid
}

/// Says what a fault becomes whose row is not in the store any more.
public enum InaccessibleFaults: Sendable {
    /// It stays one, and the next fetch or save throws ``StoreError/Code/objectNotFound``.
    case error
    /// It becomes a deleted object, whose properties are empty.
    case deletedObject
}

/// Watches over faults: lets them fire, warns of them, or refuses.
struct FaultingPolicy {
    var mode = Faulting.automatic
    var inaccessible = InaccessibleFaults.error
    /// Where warnings go.
    var warn: (String) -> Void = { _ in }

    /// Lets a fault pass or throws.
    ///
    /// `property` is the to-many relationship that is about to be loaded, or nil for an object.
    func check(_ object: ManagedObject, property: String?) throws {
        switch mode {
        case .automatic: return
        case .warn: warn(sentence(object, property))
        case .forbid:
            throw StoreError(
                .faultForbidden, sentence(object, property),
                remedy: "Prefetch it, or set faulting to .automatic.")
        }
    }

    private func sentence(_ object: ManagedObject, _ property: String?) -> String {
        let what = property.map { "\(object.entity.name).\($0)" } ?? object.entity.name
        return "A fault of \(what) was fired at \(CallSite.current())."
    }
}
