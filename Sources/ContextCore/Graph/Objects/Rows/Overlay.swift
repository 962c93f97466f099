/// The uncommitted values of an object, and its to-many relationships that have been accessed.
// One allocation with the slots behind the header: creating objects mostly means creating overlays, and an array would need a second
// allocation and a uniqueness check for each write.
final class Overlay: ManagedBuffer<Overlay.Header, SlotValue> {
    /// The number of slots, and the slots that have a value.
    struct Header {
        let count: Int
        var occupied: AssignedSlots
    }

    /// Creates an overlay without values.
    static func make(count: Int) -> Overlay {
        // unsafeDowncast: the buffer was created by this class.
        let overlay = unsafeDowncast(
            create(minimumCapacity: count) { _ in Header(count: count, occupied: AssignedSlots(count: count))
            },
            to: Overlay.self)
        overlay.withUnsafeMutablePointerToElements { slots in
            // A loop stores a constant; `initialize(repeating:)` would copy a value.
            for slot in 0..<count { (slots + slot).initialize(to: .unchanged) }
        }
        return overlay
    }

    /// Creates an overlay from copied slots.
    static func make(of slots: [SlotValue]) -> Overlay {
        let overlay = make(count: slots.count)
        for (slot, value) in slots.enumerated() { overlay.slots[slot] = value }
        return overlay
    }

    deinit {
        // Slots without a value need no deinitialization.
        withUnsafeMutablePointers { header, slots in
            for slot in header.pointee.occupied { (slots + slot).deinitialize(count: 1) }
        }
    }

    /// The value of each property.
    var slots: Slots { Slots(overlay: self) }

    /// The slots that have a value.
    @inline(__always)
    var occupied: AssignedSlots { withUnsafeMutablePointerToHeader { $0.pointee.occupied } }

    /// Whether a slot differs from its committed value.
    var isDirty: Bool { occupied.contains { slots[$0].isDirty } }
    /// Whether no slot has a value.
    var isEmpty: Bool { occupied.allSatisfy { slots[$0].isUnchanged } }
}

extension Overlay {
    /// A view of the current slots of an overlay.
    struct Slots: RandomAccessCollection {
        fileprivate let overlay: Overlay

        var startIndex: Int { 0 }
        @inline(__always)
        var endIndex: Int { overlay.withUnsafeMutablePointerToHeader { $0.pointee.count } }

        subscript(slot: Int) -> SlotValue {
            @inline(__always)
            get {
                overlay.withUnsafeMutablePointers { header, slots in
                    slots[Self.checked(slot, header.pointee.count)]
                }
            }
            @inline(__always)
            nonmutating set {
                overlay.withUnsafeMutablePointers { header, slots in
                    let place = slots + Self.checked(slot, header.pointee.count)
                    if newValue.isUnchanged {
                        header.pointee.occupied.remove(slot)
                    } else {
                        header.pointee.occupied.insert(slot)
                    }
                    // Last, because releasing the old value may run a `deinit` that accesses the overlay.
                    place.pointee = newValue
                }
            }
        }

        /// Sets a slot that has no value, without releasing an old one.
        @inline(__always)
        func initialize(_ slot: Int, with value: SlotValue) {
            overlay.withUnsafeMutablePointers { header, slots in
                (slots + Self.checked(slot, header.pointee.count)).initialize(to: value)
                header.pointee.occupied.insert(slot)
            }
        }

        /// Calls a closure with the value of a slot, without reference counting.
        // The value is moved out during the call and back afterwards, so the closure must not access the overlay.
        @inline(__always)
        func withValue(at slot: Int, _ body: (borrowing SlotValue) -> Void) {
            overlay.withUnsafeMutablePointers { header, slots in
                let place = slots + Self.checked(slot, header.pointee.count)
                let value = place.move()
                body(value)
                place.initialize(to: value)
            }
        }

        @inline(__always)
        private static func checked(_ slot: Int, _ count: Int) -> Int {
            requirePrecondition(slot >= 0 && slot < count, "The object has no such slot.")
            return slot
        }
    }
}

/// The value of a slot in an overlay.
enum SlotValue {
    /// No value: the committed value applies.
    case unchanged
    /// An attribute's new value.
    case value(StoredValue)
    /// A value that doesn't count as a change: of a transient attribute after a save, or set in `awakeFromFetch`.
    case clean(StoredValue)
    /// A to-one relationship's new target.
    case object(ManagedObject?)
    /// A to-many relationship, changed or only loaded.
    case collection(ToManyState)

    var isUnchanged: Bool {
        if case .unchanged = self { true } else { false }
    }

    /// The members that were removed from the relationship.
    var removed: Set<ManagedObject> {
        if case .collection(let state) = self { state.removed } else { [] }
    }

    var isDirty: Bool {
        switch self {
        case .unchanged, .clean: false
        case .value, .object: true
        case .collection(let state): state.isDirty
        }
    }
}
