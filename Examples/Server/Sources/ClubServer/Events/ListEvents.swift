import ContextCore
import Foundation
import Hummingbird

/// The changes of a list as server-sent events.
///
/// The first event is `list`: the steps that make the list from an empty one. Each later one is `change`. A slow client misses nothing: the
/// changes since its last event arrive as one.
struct ListEvents<Object: ManagedObject>: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let rows: ResultsRows<Object>

    func makeAsyncIterator() -> Iterator { Iterator(rows: rows.makeAsyncIterator()) }

    struct Iterator: AsyncIteratorProtocol {
        var rows: ResultsRows<Object>.Iterator
        var name = "list"

        mutating func next() async throws -> ByteBuffer? {
            guard let change = await rows.next() else { return nil }
            let json = try JSONEncoder.sorted.encode(ListChange(change))
            defer { name = "change" }
            return ByteBuffer(string: "event: \(name)\ndata: \(String(decoding: json, as: UTF8.self))\n\n")
        }
    }
}
