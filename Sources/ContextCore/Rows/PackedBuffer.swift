/// A piece of memory that grows while rows are packed into it, and is freed with its last owner.
final class PackedBuffer {
    private(set) var base: UnsafeMutableRawPointer
    private(set) var capacity: Int
    /// How many bytes are in use.
    var size = 0

    init(capacity: Int) {
        self.capacity = max(capacity, 64)
        base = .allocate(byteCount: self.capacity, alignment: 8)
    }

    deinit { base.deallocate() }

    /// Sets bytes aside at the end, and returns where they begin.
    @inline(__always)
    func reserve(_ bytes: Int) -> Int {
        let start = size
        if start + bytes > capacity { grow(to: start + bytes) }
        size = start + bytes
        return start
    }

    private func grow(to needed: Int) {
        let larger = max(capacity * 2, needed)
        let copy = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 8)
        copy.copyMemory(from: base, byteCount: size)
        base.deallocate()
        base = copy
        capacity = larger
    }
}
