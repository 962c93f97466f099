import ContextCore
import RandomSeeds
import Testing

@testable import SQLStore

/// Links come in the order that is promised, however a database finds them.
struct RelatedOrderTests {
    @Test func `An owner that is asked for twice has all its links in one place`() {
        let links = [(1, 1), (2, 2), (1, 3)].map { RelatedRows.Link(owner: $0, target: $1) }
        let related = RelatedRows(found: links, of: [1, 2, 1], rows: nil)
        #expect(related.links.map(\.target) == [1, 3, 2])
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `Owners stand as they were asked for, and links by place and key`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        // Some are asked for twice, and some lead to nothing; there are links of others, too.
        let owners = (0..<Int.random(in: 0...12, using: &random)).map { _ in
            Int64.random(in: 1...9, using: &random)
        }
        let isOrdered = Bool.random(using: &random)
        var links = Set(
            (0..<Int.random(in: 0...40, using: &random)).map { _ in
                RelatedRows.Link(
                    owner: .random(in: 1...9, using: &random), target: .random(in: 1...30, using: &random),
                    position: isOrdered ? .random(in: 0...3, using: &random) : 0)
            }
        ).shuffled(using: &random)
        if Bool.random(using: &random) { links.sort { ($0.owner, $0.target) < ($1.owner, $1.target) } }

        var seen: Set<Int64> = []
        let expected = owners.filter { seen.insert($0).inserted }.flatMap { owner in
            links.filter { $0.owner == owner }.sorted { ($0.position, $0.target) < ($1.position, $1.target) }
        }
        #expect(RelatedRows(found: links, of: owners, rows: nil).links == expected, "seed \(seed)")
    }
}
