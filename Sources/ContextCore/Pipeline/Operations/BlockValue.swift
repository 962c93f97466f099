/// The return value of a block, stored beside the code that runs the block; copies share it.
///
/// That code isn't generic over `Value`, which saves a generic metadata lookup for each block.
// @unchecked: the block writes the value during its turn; the caller reads it after the turn has ended.
struct BlockValue<Value>: @unchecked Sendable {
    private let storage = BlockStorage<Value>.make()

    /// Stores the value that the block returned, replacing that of an earlier attempt.
    func set(_ value: Value) { storage.store(value) }

    /// Returns the value that the block returned; traps if the block has not returned.
    func get() -> Value {
        requirePrecondition(storage.header, "The value of a block was read before the block returned.")
        return storage.withUnsafeMutablePointerToElements { $0.pointee }
    }
}

/// A value after a flag that says whether it is set; an `Optional<Value>` would need a metadata lookup for each block.
private final class BlockStorage<Value>: ManagedBuffer<Bool, Value> {
    static func make() -> BlockStorage {
        // unsafeDowncast: `create` returns an instance of the class that it is called on.
        unsafeDowncast(create(minimumCapacity: 1) { _ in false }, to: BlockStorage.self)
    }

    deinit { clear() }

    func store(_ value: Value) {
        clear()
        withUnsafeMutablePointerToElements { $0.initialize(to: value) }
        header = true
    }

    private func clear() {
        if header { _ = withUnsafeMutablePointerToElements { $0.deinitialize(count: 1) } }
        header = false
    }
}
