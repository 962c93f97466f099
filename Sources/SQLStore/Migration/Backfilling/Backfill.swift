/// Backfills the rows of one entity in batches.
protocol Backfill {
    /// Backfills the next rows and returns their number and the last key, or nil for the key if no rows are left.
    mutating func fillNextBatch(
        after cursor: Int64?, _ connection: any MigrationConnection
    ) throws -> (count: Int, last: Int64?)
}
