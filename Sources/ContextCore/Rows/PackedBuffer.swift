public import Foundation

/// A growable memory buffer for packed rows.
// Uses malloc and realloc, because realloc can grow large blocks without copying them.
@usableFromInline
struct PackedBuffer: ~Copyable {
    @usableFromInline private(set) var base: UnsafeMutableRawPointer
    @usableFromInline private(set) var capacity: Int
    /// The number of bytes in use.
    @usableFromInline var size = 0

    init(capacity: Int) {
        self.capacity = max(capacity, 64)
        base = Self.requireMemory(malloc(self.capacity))
    }

    // Inlinable like the functions that write to a builder's memory: Swift 6.3 crashes on a type that is only partly inlinable.
    @inlinable
    deinit { free(base) }

    /// Appends uninitialized bytes and returns their offset.
    @inlinable
    @inline(__always)
    mutating func reserve(_ bytes: Int) -> Int {
        let start = size
        // Can't overflow: both are sizes of memory blocks.
        let end = start &+ bytes
        if end > capacity { grow(to: end) }
        size = end
        return start
    }

    @usableFromInline
    @inline(never)
    mutating func grow(to needed: Int) {
        let larger = max(capacity * 2, needed)
        base = Self.requireMemory(realloc(base, larger))
        capacity = larger
    }

    private static func requireMemory(_ memory: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer {
        guard let memory else {
            programmingError("Out of memory: malloc failed for the rows of a fetch or save.")
        }
        return memory
    }
}
