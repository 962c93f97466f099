import CBaseline
import Foundation

/// The values of an item, created before measuring starts.
struct ItemValues: Sendable {
    let uuid: UUID
    let title: String
    let score: Double
    let created: Date
    let count: Int
}

/// The same rows for both sides, as C structs and as Swift values.
final class ItemRows {
    let count: Int
    let values: [ItemValues]
    /// The C rows, which are freed with this object, so a function must not store them.
    let pointer: UnsafeMutablePointer<baseline_row>

    /// - Parameters:
    ///   - firstID: The identifier of the first row in C, if it isn't its number.
    ///   - scoreChange: What to add to the scores.
    init(count: Int, first: Int = 1, firstID: Int64? = nil, scoreChange: Double = 0) {
        self.count = count
        pointer = baseline_make_rows(Int64(first), Int64(count))
        for place in 0..<count {
            if let firstID { pointer[place].id = firstID + Int64(place) }
            pointer[place].score += scoreChange
        }
        values = UnsafeBufferPointer(start: pointer, count: count).map { row in
            ItemValues(
                uuid: UUID(uuid: row.uuid), title: String(cString: row.title), score: row.score,
                created: Date(timeIntervalSince1970: Double(row.created) / 1_000_000), count: Int(row.count))
        }
    }

    deinit { baseline_free_rows(pointer, Int64(count)) }

    /// Returns row numbers from 1 in a scattered order, which makes caches ineffective.
    func scatteredNumbers(_ wanted: Int) -> [Int64] {
        (0..<wanted).map { Int64(($0 &* 7919) % count + 1) }
    }
}
