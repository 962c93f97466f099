import RandomSeeds
import Testing

@testable import ContextCore

struct KeyTableTests {
    private final class Thing {}

    @Test func `Keys that come and go in any order lead to what was entered last`() {
        var table = KeyTable<Thing>()
        var known: [Int64: Thing] = [:]
        var random = SeededRandom(seed: 1)
        let stranger = Thing()
        for _ in 0..<20_000 {
            let key = Int64.random(in: -300...300, using: &random)
            if let thing = known[key] {
                table.remove(key, .passUnretained(stranger))
                let (found, has, hasStranger) = (
                    table[key], table.has(.passUnretained(thing), under: key),
                    table.has(.passUnretained(stranger), under: key)
                )
                #expect(found === thing && has && !hasStranger)
                table.remove(key, .passUnretained(thing))
                known[key] = nil
                let (gone, isLeft) = (table[key], table.has(.passUnretained(thing), under: key))
                #expect(gone === nil && !isLeft)
            } else {
                let thing = Thing()
                let isThere = table.has(.passUnretained(thing), under: key)
                #expect(!isThere)
                known[key] = thing
                table.insert(thing, for: key)
            }
        }
        let (count, all) = (table.count, table.all)
        #expect(count == known.count)
        let (entered, expected) = (
            Set(all.map { ObjectIdentifier($0) }), Set(known.values.map { ObjectIdentifier($0) })
        )
        #expect(entered == expected)
        for (key, thing) in known {
            let found = table[key]
            #expect(found === thing)
        }
    }

    /// How keys come to a table: each pattern makes other homes collide.
    enum Pattern: CaseIterable {
        case inARow, strided, scattered, twoRowsOverEachOther
    }

    @Test(arguments: Pattern.allCases)
    func `Every pattern of keys is found, through growth and removals`(_ pattern: Pattern) {
        let seed = UInt64.random(in: 1...UInt64.max)
        var random = SeededRandom(seed: seed)
        let keys = (0..<3000).map { (number: Int64) -> Int64 in
            switch pattern {
            case .inARow: number - 100
            case .strided: number << 20
            case .scattered: number &* 0x1234_5678_9ABC_DEF1
            case .twoRowsOverEachOther: number / 2 + (number % 2) << 32
            }
        }
        var table = KeyTable<Thing>()
        var known: [Int64: Thing] = [:]
        for key in keys {
            known[key] = Thing()
            table.insert(known[key]!, for: key)
        }
        for key in keys.shuffled(using: &random).prefix(2500) {
            let thing = known.removeValue(forKey: key)!
            table.remove(key, .passUnretained(thing))
            if Int.random(in: 0..<3, using: &random) == 0 {
                known[key] = thing
                table.insert(thing, for: key)
            }
        }
        let (count, entered) = (table.count, table.all.count)
        #expect(count == known.count && entered == known.count, "seed \(seed)")
        for key in keys {
            let found = table[key]
            #expect(found === known[key], "key \(key), seed \(seed)")
        }
    }

    /// Nobody goes through all neighbours in a row to find out that a key is not among them.
    @Test(.timeLimit(.minutes(20)))
    func `Keys that would be at home in a long row of others are told apart at once`() {
        var table = KeyTable<Thing>()
        let thing = Thing()
        let count: Int64 = 90_000
        for key in 0..<count { table.insert(thing, for: key) }
        let size = Int64(table.size)
        for key in 0..<count {
            let missing = table[key + size]
            #expect(missing === nil)
            table.remove(key + size, .passUnretained(thing))
        }
        let left = table.count
        #expect(left == count)
    }

    @Test func `A table that was emptied takes the same keys again`() {
        var table = KeyTable<Thing>()
        let things = (0..<100).map { _ in Thing() }
        for (key, thing) in things.enumerated() { table.insert(thing, for: Int64(key)) }
        table.removeAll()
        let (count, gone) = (table.count, table[5])
        #expect(count == 0)
        #expect(gone === nil)
        table.reserve(1000)
        for (key, thing) in things.reversed().enumerated() { table.insert(thing, for: Int64(key)) }
        let (first, all) = (table[0], table.all)
        #expect(first === things[99])
        #expect(all.count == 100)
    }
}
