/// What a block returns, on its way past what runs the block and need not know of it; copies share it.
///
/// Were everything on that way made for each kind of value, it would be found anew for each block.
// @unchecked: the block keeps it in its turn, and whoever asks for it does so when told that the turn is over.
struct BlockValue<Value>: @unchecked Sendable {
    private let storage = BlockStorage<Value>.make()

    /// Keeps what a run of the block returned, in place of what an earlier one did.
    func keep(_ value: Value) { storage.keep(value) }

    /// What the block returned; to be asked for once it has.
    func get() -> Value {
        requirePrecondition(storage.header, "A block that came to its end returns a value.")
        return storage.withUnsafeMutablePointerToElements { $0.pointee }
    }
}

/// A value behind the mark that there is one; the kind of an optional would have to be found for each block.
private final class BlockStorage<Value>: ManagedBuffer<Bool, Value> {
    static func make() -> BlockStorage {
        // unsafeDowncast: that is what it creates.
        unsafeDowncast(create(minimumCapacity: 1) { _ in false }, to: BlockStorage.self)
    }

    deinit { forget() }

    func keep(_ value: Value) {
        forget()
        withUnsafeMutablePointerToElements { $0.initialize(to: value) }
        header = true
    }

    private func forget() {
        if header { _ = withUnsafeMutablePointerToElements { $0.deinitialize(count: 1) } }
        header = false
    }
}
