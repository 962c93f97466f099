/// What lies over an object's committed values: changed values, and to-many relationships once they are touched.
final class Overlay {
    // Nothing that is done to a slot comes back to the overlay, and the checks that would tell were a tenth of an insert's
    // instructions. Debug builds, and so the tests, still make them.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var slots: ContiguousArray<SlotValue>

    init(count: Int) {
        slots = ContiguousArray(repeating: .unchanged, count: count)
    }

    /// Whether some slot differs from what is committed.
    var isDirty: Bool { slots.contains(where: \.isDirty) }
    /// Whether the overlay says nothing at all.
    var isEmpty: Bool {
        slots.allSatisfy { if case .unchanged = $0 { true } else { false } }
    }
}

/// What an overlay says of one property.
enum SlotValue {
    /// The committed value holds.
    case unchanged
    /// An attribute's new value.
    case value(StoredValue)
    /// A value that is no change: a transient attribute's, which the last save has taken note of, or what `awakeFromFetch` has
    /// set.
    case settled(StoredValue)
    /// What a to-one relationship leads to now.
    case object(ManagedObject?)
    /// A to-many relationship, changed or only loaded.
    case collection(ToManyState)

    var isDirty: Bool {
        switch self {
        case .unchanged, .settled: false
        case .value, .object: true
        case .collection(let state): state.isDirty
        }
    }
}
