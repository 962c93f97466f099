extension QuickChecks {
    /// Whether an object is valid according to the quick checks; false if it needs the full validation.
    func accepts(_ object: ManagedObject) -> Bool {
        let isNew = object.state == .inserted
        guard let overlay = object.overlayReference else { return !isNew }
        return overlay.withUnretained { overlay in
            // Values that are not in the overlay were validated when their row was saved.
            if !isNew { return overlay.occupied.allSatisfy { accepts(object, $0, overlay, isNew) } }
            return checks.indices.allSatisfy { accepts(object, $0, overlay, isNew) }
        }
    }

    @inline(__always)
    private func accepts(_ object: ManagedObject, _ slot: Int, _ overlay: Overlay, _ isNew: Bool) -> Bool {
        guard let check = checks[slot] else { return true }
        switch overlay.slots[slot] {
        case .value(let value): return check.value?.accepts(value) ?? false
        case .object(let target):
            // A fault may be marked as deleted in a parent context.
            guard check.isReference, let target else { return false }
            return target.isLive && !target.isFault
        case .unchanged, .clean: return !isNew || (check.mayBeMissing && object.row < 0)
        case .collection: return false
        }
    }
}
