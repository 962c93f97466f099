/// What a block returns, on its way past what runs the block and need not know of it.
///
/// Were everything on that way made for each kind of value, it would be found anew for each block.
// @unchecked: the block keeps it in its turn, and whoever asks for it does so when told that the turn is over.
final class BlockValue<Value>: @unchecked Sendable {
    private var value: Value?

    func keep(_ value: Value) { self.value = value }

    /// What the block returned; to be asked for once it has.
    func get() -> Value {
        guard let value else { preconditionFailure("A block that came to its end returns a value.") }
        return value
    }
}
