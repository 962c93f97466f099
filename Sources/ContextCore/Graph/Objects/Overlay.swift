/// What lies over an object's committed values: changed values, and to-many relationships once they are touched.
// One piece of memory with the slots behind what is known of them: a new object is made of its overlay more than of anything else, and
// an array would be a second allocation, and a look at each write whether somebody shares it.
final class Overlay: ManagedBuffer<Overlay.Header, SlotValue> {
    /// What is known of the slots together.
    struct Header {
        let count: Int
        var said: SaidSlots
    }

    /// Makes an overlay that says nothing yet.
    static func make(count: Int) -> Overlay {
        // unsafeDowncast: the buffer is made by this very class.
        let overlay = unsafeDowncast(
            create(minimumCapacity: count) { _ in Header(count: count, said: SaidSlots(count: count)) },
            to: Overlay.self)
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
        // Those that say nothing have nothing to let go of.
        withUnsafeMutablePointers { header, slots in
            for slot in header.pointee.said { (slots + slot).deinitialize(count: 1) }
        }
    }

    /// What is said of each property.
    var slots: Slots { Slots(overlay: self) }

    /// The slots that something is said of, as they are now.
    @inline(__always)
    var said: SaidSlots { withUnsafeMutablePointerToHeader { $0.pointee.said } }

    /// Whether some slot differs from what is committed.
    var isDirty: Bool { said.contains { slots[$0].isDirty } }
    /// Whether the overlay says nothing at all.
    var isEmpty: Bool { said.allSatisfy { slots[$0].isUnchanged } }
}

extension Overlay {
    /// The slots of an overlay, as they are at the moment when one is looked at.
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
                        header.pointee.said.remove(slot)
                    } else {
                        header.pointee.said.insert(slot)
                    }
                    // Last, as whoever is let go of may come back to the overlay.
                    place.pointee = newValue
                }
            }
        }

        /// Says a first thing of a slot: where nothing was said, nothing is let go of.
        @inline(__always)
        func begin(_ slot: Int, with value: SlotValue) {
            overlay.withUnsafeMutablePointers { header, slots in
                (slots + Self.checked(slot, header.pointee.count)).initialize(to: value)
                header.pointee.said.insert(slot)
            }
        }

        /// Looks at what is said of a slot, and counts nothing.
        // It is taken out for the look and put back: whoever came back to the overlay meanwhile would find, or let go of, what isn't there.
        @inline(__always)
        func look(at slot: Int, _ look: (borrowing SlotValue) -> Void) {
            overlay.withUnsafeMutablePointers { header, slots in
                let place = slots + Self.checked(slot, header.pointee.count)
                let value = place.move()
                look(value)
                place.initialize(to: value)
            }
        }

        @inline(__always)
        private static func checked(_ slot: Int, _ count: Int) -> Int {
            requirePrecondition(slot >= 0 && slot < count, "An object has no such slot.")
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
