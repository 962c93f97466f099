import ContextCore
import Foundation

/// An item with a large value, which is stored outside of its row.
@Entity final class Photo: ManagedObject {
    var uuid: UUID
    var title: String
    var score: Double
    var created: Date
    var count: Int
    @Attribute(.externalStorage()) var image: Data

    /// The row's part of the checksum, which both sides compute.
    var checksum: Int64 {
        Int64(title.utf8.count &* 31) &+ Int64(score * 1000.0) &+ Int64(count &* 7)
    }
}
