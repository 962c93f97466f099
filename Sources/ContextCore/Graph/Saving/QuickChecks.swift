/// What has to be looked at in each object of an entity, so that most objects are found to keep their rules by one walk over
/// their overlays.
struct QuickChecks {
    private struct Check {
        /// How an attribute's value is looked at; nil for a relationship.
        let value: QuickCheck?
        /// Whether a to-one relationship has to lead somewhere.
        let isReference: Bool
        /// Whether an object that says nothing of it, and has no row, keeps the rules.
        let mayBeMissing: Bool
    }

    /// By slot; nil where there is nothing to look at.
    private var checks: [Check?] = []

    init(_ properties: [PropertyLayout], slotCount: Int) {
        checks = Array(repeating: nil, count: slotCount)
        for property in properties {
            checks[property.slot] = Check(
                value: property.validation?.quick,
                isReference: property.relationship?.description.isToMany == false,
                mayBeMissing: property.validation?.quick.isOptional == true && !property.columns.isEmpty)
        }
    }

    /// Whether an object certainly keeps its rules; where that takes more than a look, it is not said.
    func accept(_ object: ManagedObject) -> Bool {
        let isNew = object.state == .inserted
        guard let overlay = object.overlayReference else { return !isNew }
        return overlay.withUncounted { overlay in
            // A row has what nothing is said of.
            if !isNew { return overlay.said.allSatisfy { accept(object, $0, overlay, isNew) } }
            return checks.indices.allSatisfy { accept(object, $0, overlay, isNew) }
        }
    }

    @inline(__always)
    private func accept(_ object: ManagedObject, _ slot: Int, _ overlay: Overlay, _ isNew: Bool) -> Bool {
        guard let check = checks[slot] else { return true }
        switch overlay.slots[slot] {
        case .value(let value): return check.value?.accepts(value) ?? false
        case .object(let target):
            // A fault may be gone in a context above.
            guard check.isReference, let target else { return false }
            return target.isKept && !target.isFault
        case .unchanged, .settled: return !isNew || (check.mayBeMissing && object.row < 0)
        case .collection: return false
        }
    }
}
