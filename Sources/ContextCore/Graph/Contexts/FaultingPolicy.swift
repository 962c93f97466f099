/// What happens when the program accesses an object, relationship or value that has not been fetched.
///
/// The setting doesn't apply to what a save, a deletion or a fetch with pending changes reads: that is always fetched.
///
/// A warning or an error names the entity, the relationship, the source location of the fetch that the fault came from (add the
/// prefetch there), and the source location of the block of `perform`, `read` or `write` in which it fired. It can't name the line that
/// read the property.
public enum Faulting: Sendable {
    /// The fault is fetched, together with its siblings.
    case automatic
    /// The fault is fetched, and the handler of ``ObjectContext/onFaultWarning(_:)`` receives a warning.
    case warn
    /// The fault is not fetched, and the next fetch or save throws ``StoreError/Code/faultForbidden``.
    case forbid
}

/// What a fault becomes when its row is no longer in the store.
public enum InaccessibleFaults: Sendable {
    /// It stays a fault, and the next fetch or save throws ``StoreError/Code/objectNotFound``.
    case error
    /// It becomes a deleted object with empty properties.
    case deletedObject
}

/// The faulting settings of a context, which allow, report or refuse each fault.
struct FaultingPolicy {
    var mode = Faulting.automatic
    var inaccessible = InaccessibleFaults.error
    /// The handler of warnings.
    var warn: (String) -> Void = { _ in }

    /// The source location of the block that the context belongs to.
    var block: CallSite?

    /// Allows a fault, warns about it, or throws ``StoreError/Code/faultForbidden``, as the mode says.
    ///
    /// - Parameters:
    ///   - fault: The object's entity and the relationship that the fault was reached through.
    ///   - site: The source location of the fetch that the fault came from.
    func check(_ fault: String, fetchedAt site: CallSite?) throws {
        switch mode {
        case .automatic: return
        case .warn: warn(sentence(fault, site))
        case .forbid:
            throw StoreError(
                .faultForbidden, sentence(fault, site),
                remedy:
                    "Prefetch the relationship in that fetch, or set the context's faulting to .automatic.")
        }
    }

    private func sentence(_ fault: String, _ site: CallSite?) -> String {
        var sentence = "A fault of \(fault) was fired"
        if let block { sentence += " in the block at \(block)" }
        if let site { sentence += (block == nil ? "" : ",") + " by what was fetched at \(site)" }
        return sentence + "."
    }
}
