/// What lies over an object's committed values: changed values, and to-many relationships once they are touched.
// One piece of memory with the slots behind the count: a new object is made of its overlay more than of anything else, and
// an array would be a second allocation, and a look at each write whether somebody shares it.
final class Overlay: ManagedBuffer<Int, SlotValue> {
    /// Makes an overlay that says nothing yet.
    static func make(count: Int) -> Overlay {
        // unsafeDowncast: the buffer is made by this very class.
        let overlay = unsafeDowncast(create(minimumCapacity: count) { _ in count }, to: Overlay.self)
        overlay.withUnsafeMutablePointerToElements { slots in
            // One by one it is a constant that is written; repeated, it would be a value to be copied.
            for slot in 0..<count { (slots + slot).initialize(to: .unchanged) }
        }
        return overlay
    }

    /// Makes an overlay of slots that were kept.
    static func make(of slots: [SlotValue]) -> Overlay {
        let overlay = make(count: slots.count)
        for (slot, value) in slots.enumerated() { overlay.slots[slot] = value }
        return overlay
    }

    deinit {
        _ = withUnsafeMutablePointers { count, slots in slots.deinitialize(count: count.pointee) }
    }

    /// What is said of each property.
    var slots: Slots { Slots(overlay: self) }

    /// Whether some slot differs from what is committed.
    var isDirty: Bool { slots.contains { $0.isDirty } }
    /// Whether the overlay says nothing at all.
    var isEmpty: Bool { slots.allSatisfy { $0.isUnchanged } }
}

extension Overlay {
    /// The slots of an overlay, as they are at the moment when one is looked at.
    struct Slots: RandomAccessCollection {
        fileprivate let overlay: Overlay

        var startIndex: Int { 0 }
        @inline(__always)
        var endIndex: Int { overlay.withUnsafeMutablePointerToHeader { $0.pointee } }

        subscript(slot: Int) -> SlotValue {
            @inline(__always)
            get {
                overlay.withUnsafeMutablePointers { count, slots in slots[Self.checked(slot, count.pointee)] }
            }
            @inline(__always)
            nonmutating set {
                overlay.withUnsafeMutablePointers { count, slots in
                    slots[Self.checked(slot, count.pointee)] = newValue
                }
            }
        }

        @inline(__always)
        private static func checked(_ slot: Int, _ count: Int) -> Int {
            precondition(slot >= 0 && slot < count, "An object has no such slot.")
            return slot
        }
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

    var isUnchanged: Bool {
        if case .unchanged = self { true } else { false }
    }

    /// Who went from the relationship that it is.
    var removed: Set<ManagedObject> {
        if case .collection(let state) = self { state.removed } else { [] }
    }

    var isDirty: Bool {
        switch self {
        case .unchanged, .settled: false
        case .value, .object: true
        case .collection(let state): state.isDirty
        }
    }
}
