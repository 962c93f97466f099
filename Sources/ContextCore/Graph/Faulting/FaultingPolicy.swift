/// What happens when the program accesses an object, relationship or value that has not been fetched.
///
/// The setting doesn't apply to reads of a save, a deletion or a fetch with pending changes, which always load faults.
///
/// A warning or an error names the entity, the relationship, the source location of the fetch that returned the fault,
/// to which you can add a prefetch, and the source location of the block of `perform`, `read` or `write` that loaded
/// it. It can't name the line that read the property.
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
    /// The object stays a fault, and the next fetch or save throws ``StoreError/Code/objectNotFound``.
    case error
    /// The object becomes a deleted object with empty properties.
    case deletedObject
}

/// The faulting settings of a context, which allow or reject loading a fault, or warn about it.
struct FaultingPolicy {
    var mode = Faulting.automatic
    var inaccessible = InaccessibleFaults.error
    /// The handler of warnings.
    var warn: (String) -> Void = { _ in }

    /// The source location of the block that the context belongs to.
    var block: CallSite?

    /// Allows loading a fault, warns about it, or throws ``StoreError/Code/faultForbidden``, depending on the mode.
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
                    "Prefetch the relationship in the fetch that returned the object, or set the context's faulting to .automatic."
            )
        }
    }

    private func sentence(_ fault: String, _ site: CallSite?) -> String {
        var sentence = "A fault of \(fault) was fired"
        if let block { sentence += " in the block at \(block)" }
        if let site { sentence += (block == nil ? "" : ",") + " by what was fetched at \(site)" }
        return sentence + "."
    }
}
