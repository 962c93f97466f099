/// The fast validation of an entity, which accepts most valid objects in one pass over their overlays.
struct QuickChecks {
    private struct Check {
        /// The check of an attribute's value; nil for a relationship.
        let value: QuickCheck?
        /// Whether the property is a to-one relationship.
        let isReference: Bool
        /// Whether a new object is valid without a value.
        let mayBeMissing: Bool
    }

    /// The checks by slot; nil for slots without a check.
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

    /// Whether an object is certainly valid; false if that needs a full check.
    func accept(_ object: ManagedObject) -> Bool {
        let isNew = object.state == .inserted
        guard let overlay = object.overlayReference else { return !isNew }
        return overlay.withUncounted { overlay in
            // Values that are not in the overlay were validated when their row was saved.
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
            // A fault may be marked as deleted in a parent context.
            guard check.isReference, let target else { return false }
            return target.isKept && !target.isFault
        case .unchanged, .settled: return !isNew || (check.mayBeMissing && object.row < 0)
        case .collection: return false
        }
    }
}
