/// What a packed row begins with, before the words that say which columns are null.
struct PackedRowHeader {
    let key: Int64
    let version: Int64
    private let entity: UInt32
    // Written, so that a row has no byte that nobody knows.
    private let spare: UInt32 = 0

    @inline(__always)
    init(key: Int64, version: Int64, entityIndex: Int) {
        self.key = key
        self.version = version
        entity = UInt32(truncatingIfNeeded: entityIndex)
    }

    @inline(__always)
    var entityIndex: Int { Int(entity) }
}
