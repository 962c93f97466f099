/// Fills the rows of one entity, batch by batch.
protocol BatchFilling {
    /// Fills the next rows, and answers how many there were and the key of the last; nil where none are left.
    mutating func takeBatch(
        after cursor: Int64?, _ connection: any MigrationConnection
    ) throws -> (count: Int, last: Int64?)
}
