public import Foundation

/// A piece of memory that grows while rows are packed into it, and is freed with its owner.
// By the C library's functions: they can let large memory grow without copying it.
@usableFromInline
struct PackedBuffer: ~Copyable {
    @usableFromInline private(set) var base: UnsafeMutableRawPointer
    @usableFromInline private(set) var capacity: Int
    /// How many bytes are in use.
    @usableFromInline var size = 0

    init(capacity: Int) {
        self.capacity = max(capacity, 64)
        base = Self.present(malloc(self.capacity))
    }

    // Inlinable, as what writes to a builder's memory is: a compiler of 6.3 falls over a type of which only a part is.
    @inlinable
    deinit { free(base) }

    /// Sets bytes aside at the end, and returns where they begin.
    @inlinable
    @inline(__always)
    mutating func reserve(_ bytes: Int) -> Int {
        let start = size
        // No two pieces of memory are so large that this overflows.
        let end = start &+ bytes
        if end > capacity { grow(to: end) }
        size = end
        return start
    }

    @usableFromInline
    @inline(never)
    mutating func grow(to needed: Int) {
        let larger = max(capacity * 2, needed)
        base = Self.present(realloc(base, larger))
        capacity = larger
    }

    private static func present(_ memory: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer {
        guard let memory else { programmingError("There is no memory left for rows.") }
        return memory
    }
}
