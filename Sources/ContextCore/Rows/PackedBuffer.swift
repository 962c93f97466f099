import Foundation

/// A piece of memory that grows while rows are packed into it, and is freed with its last owner.
// By the C library's functions: they can let large memory grow without copying it.
final class PackedBuffer {
    private(set) var base: UnsafeMutableRawPointer
    private(set) var capacity: Int
    /// How many bytes are in use.
    var size = 0

    init(capacity: Int) {
        self.capacity = max(capacity, 64)
        base = Self.present(malloc(self.capacity))
    }

    deinit { free(base) }

    /// Sets bytes aside at the end, and returns where they begin.
    @inline(__always)
    func reserve(_ bytes: Int) -> Int {
        let start = size
        if start + bytes > capacity { grow(to: start + bytes) }
        size = start + bytes
        return start
    }

    @inline(never)
    private func grow(to needed: Int) {
        let larger = max(capacity * 2, needed)
        base = Self.present(realloc(base, larger))
        capacity = larger
    }

    private static func present(_ memory: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer {
        guard let memory else { preconditionFailure("There is no memory left for rows.") }
        return memory
    }
}
