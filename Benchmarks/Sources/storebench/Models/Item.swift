import ContextCore
import Foundation

/// The entity of the workloads with one table.
@Entity final class Item: ManagedObject {
    var uuid: UUID
    var title: String
    var score: Double
    var created: Date
    var count: Int

    /// The row's part of the checksum, which both sides compute.
    var checksum: Int64 {
        Int64(title.utf8.count &* 31) &+ Int64(score * 1000.0) &+ Int64(count &* 7)
    }
}

/// The entity of the workload that upserts rows.
@Entity final class Article: ManagedObject {
    var uuid: UUID
    @Attribute(.unique) var title: String
    var score: Double
    var created: Date
    var count: Int

    /// The row's part of the checksum, which both sides compute.
    var checksum: Int64 {
        Int64(title.utf8.count &* 31) &+ Int64(score * 1000.0) &+ Int64(count &* 7)
    }
}
