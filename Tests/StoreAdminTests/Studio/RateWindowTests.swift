import ContextCore
import Testing

@testable import StoreAdmin

/// The counts of saves over the last minutes.
struct RateWindowTests {
    private static let start: Int64 = 1_000_000

    private func save(_ author: String?, _ changes: [String: Int]) -> RateWindow.Save {
        RateWindow.Save(author: author, changes: changes.mapValues { .init(inserted: $0) })
    }

    private func total(_ document: JSONValue) -> [Int?] {
        [document["saves"].intValue, document["objects"].intValue]
    }

    @Test func `Saves are counted by entity and author`() {
        var window = RateWindow(firstSecond: Self.start - 10_000)
        window.record(save("ann", ["Game": 2, "Player": 1]), second: Self.start)
        window.record(
            RateWindow.Save(author: nil, changes: ["Player": .init(updated: 3, deleted: 4)]),
            second: Self.start + 7)
        window.record(save("ann", ["Game": 1]), second: Self.start + 8)
        let document = window.document(second: Self.start + 9)
        #expect(total(document) == [3, 11])
        #expect(
            document["entities"].text
                == #"[{"deleted":4,"entity":"Player","inserted":1,"saves":2,"updated":3},{"deleted":0,"entity":"Game","inserted":3,"saves":2,"updated":0}]"#
        )
        #expect(
            document["authors"].text
                == #"[{"author":"ann","objects":4,"saves":2},{"author":null,"objects":7,"saves":1}]"#)
        #expect(document["objectsPerSave"].text == #"{"largest":7,"mean":4}"#)
        let buckets = document["buckets"].elements ?? []
        #expect(buckets.count == 60)
        #expect(buckets.suffix(2).map { $0["saves"].intValue } == [1, 2])
        #expect(document["seconds"] == .int(300))
    }

    @Test func `Saves leave the window when they are old`() {
        var window = RateWindow(firstSecond: Self.start)
        window.record(save("ann", ["Game": 5]), second: Self.start)
        window.record(save("ann", ["Game": 1]), second: Self.start + 100)
        #expect(total(window.document(second: Self.start + 299)) == [2, 6])
        #expect(total(window.document(second: Self.start + 300)) == [1, 1])
        let last = window.document(second: Self.start + 1000)
        #expect(total(last) == [0, 0])
        #expect(last["objectsPerSave"].text == #"{"largest":0,"mean":0}"#)
        #expect(last["entities"] == .array([]) && last["authors"] == .array([]))
    }

    @Test func `The window is as long as saves have been counted`() {
        var window = RateWindow(firstSecond: Self.start)
        #expect(window.document(second: Self.start)["seconds"] == .int(1))
        #expect(window.document(second: Self.start + 59)["seconds"] == .int(60))
        #expect(
            window.document(second: Self.start + 5000)["seconds"].intValue.map { $0 > 295 && $0 <= 300 }
                == true)
        window.limitCounting(to: Self.start + 4990)
        #expect(window.document(second: Self.start + 5000)["seconds"] == .int(11))
    }

    @Test func `Earlier saves are added in any order, and those before the window ignored`() {
        var window = RateWindow(firstSecond: Self.start)
        for second in [500, 480, 490, 481, 100] {
            window.record(save(nil, ["Game": 1]), second: Self.start + Int64(second))
        }
        let document = window.document(second: Self.start + 500)
        #expect(total(document) == [4, 4])
        #expect(document["buckets"].elements?.suffix(5).map { $0["saves"].intValue } == [2, 0, 1, 0, 1])
    }

    @Test func `Many authors are counted together, so that memory is bounded`() {
        var window = RateWindow(firstSecond: Self.start)
        for number in 0..<1000 { window.record(save("author \(number)", ["Game": 1]), second: Self.start) }
        for number in 0..<1000 {
            window.record(save("later \(number)", ["Game": 1]), second: Self.start + 60)
        }
        let document = window.document(second: Self.start + 60)
        #expect(document["authors"].elements?.count == RateWindow.authorLimit)
        let others = 2000 - RateWindow.authorLimit
        #expect(document["otherAuthors"].text == #"{"objects":\#(others),"saves":\#(others)}"#)
        #expect(total(document) == [2000, 2000])
    }

    @Test func `The size of the database and its growth are reported`() {
        var window = RateWindow(firstSecond: Self.start)
        #expect(window.document(second: Self.start)["bytes"] == .null)
        for (second, bytes) in [(0, 100), (1, 150)] {
            window.recordSize(Int64(bytes), second: Self.start + Int64(second))
        }
        #expect(window.document(second: Self.start + 1)["bytesAdded"] == .int(50))
        for (second, bytes) in [(20, 400), (310, 350)] {
            window.recordSize(Int64(bytes), second: Self.start + Int64(second))
        }
        let document = window.document(second: Self.start + 310)
        #expect(document["bytes"] == .int(350))
        #expect(document["bytesAdded"] == .int(-50))
    }
}
