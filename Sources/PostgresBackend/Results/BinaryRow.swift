#if Postgres
/// A row of a result in binary format.
protocol BinaryRow: ~Copyable {
    /// Returns the bytes of a value, which are valid until the next row is read; empty for null.
    func value(_ column: Int) -> UnsafeRawBufferPointer
    func isNull(_ column: Int) -> Bool
}

/// A row of a complete result.
struct ResultRow: BinaryRow {
    let result: PostgresResult
    let row: Int

    @inline(__always)
    func value(_ column: Int) -> UnsafeRawBufferPointer { result.bytes(row, column) }
    @inline(__always)
    func isNull(_ column: Int) -> Bool { result.isNull(row, column) }
}
#endif
