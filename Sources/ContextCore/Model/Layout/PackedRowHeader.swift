/// The header of a packed row, which precedes its null bits.
struct PackedRowHeader {
    let key: Int64
    let version: Int64
    private let entity: UInt32
    // Initializes the padding, so that a row has no uninitialized byte.
    private let padding: UInt32 = 0

    @inline(__always)
    init(key: Int64, version: Int64, entityIndex: Int) {
        self.key = key
        self.version = version
        entity = UInt32(truncatingIfNeeded: entityIndex)
    }

    @inline(__always)
    var entityIndex: Int { Int(entity) }
}
