/// Says what happens when something is touched that has not been fetched.
///
/// It is about what the program touches. What a save, a deletion or a fetch with pending changes has to look at is fetched
/// whatever this says.
///
/// A warning or an error names the entity, the relationship, the place in the program of the fetch that led to the fault (which is
/// where to prefetch it), and the place of the block of `perform`, `read` or `write` that it was fired in. The line of the property
/// that was read is not known: a property can't know who reads it.
public enum Faulting: Sendable {
    /// It is fetched, together with its siblings.
    case automatic
    /// It is fetched, and a warning says which and where.
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

    /// Where the block begins that the context belongs to.
    var block: CallSite?

    /// Lets a fault pass or throws.
    ///
    /// `fault` names the object's entity and the relationship; `site` is where the fetch was called that led to it.
    func check(_ fault: String, fetchedAt site: CallSite?) throws {
        switch mode {
        case .automatic: return
        case .warn: warn(sentence(fault, site))
        case .forbid:
            throw StoreError(
                .faultForbidden, sentence(fault, site),
                remedy: "Prefetch it there, or set faulting to .automatic.")
        }
    }

    private func sentence(_ fault: String, _ site: CallSite?) -> String {
        var sentence = "A fault of \(fault) was fired"
        if let block { sentence += " in the block at \(block)" }
        if let site { sentence += (block == nil ? "" : ",") + " by what was fetched at \(site)" }
        return sentence + "."
    }
}
