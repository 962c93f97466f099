#if Postgres
/// A row that a server has answered, in binary.
protocol AnsweredRow: ~Copyable {
    /// The bytes of a value, there until another row is looked at; none for null.
    func value(_ place: Int) -> UnsafeRawBufferPointer
    func isNull(_ place: Int) -> Bool
}

/// A row of a whole answer.
struct ResultRow: AnsweredRow {
    let result: PostgresResult
    let row: Int

    @inline(__always)
    func value(_ place: Int) -> UnsafeRawBufferPointer { result.bytes(row, place) }
    @inline(__always)
    func isNull(_ place: Int) -> Bool { result.isNull(row, place) }
}
#endif
