import RandomSeeds
import Testing

@testable import ContextCore

struct KeyTableTests {
    private final class Thing: KeyedObject {
        let key: Int64
        init(_ key: Int64) { self.key = key }
    }

    @Test func `Keys that are inserted and removed in any order have their last value`() {
        var table = KeyTable<Thing>()
        var known: [Int64: Thing] = [:]
        var random = SeededRandom(seed: 1)
        for _ in 0..<20_000 {
            let key = Int64.random(in: -300...300, using: &random)
            if let thing = known[key] {
                let stranger = Thing(key)
                table.remove(.passUnretained(stranger))
                let (found, has, hasStranger) = (
                    table[key], table.contains(.passUnretained(thing)),
                    table.contains(.passUnretained(stranger))
                )
                #expect(found === thing && has && !hasStranger)
                table.remove(.passUnretained(thing))
                known[key] = nil
                let (gone, isLeft) = (table[key], table.contains(.passUnretained(thing)))
                #expect(gone === nil && !isLeft)
            } else {
                let thing = Thing(key)
                let isThere = table.contains(.passUnretained(thing))
                #expect(!isThere)
                known[key] = thing
                table.insert(thing)
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

    /// An order of insertion; each one makes other slots collide.
    enum Pattern: CaseIterable {
        case inARow, strided, scattered, twoRowsOverEachOther
    }

    @Test(arguments: Pattern.allCases)
    func `Keys in every pattern are found, through growth and removals`(_ pattern: Pattern) {
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
            known[key] = Thing(key)
            table.insert(known[key]!)
        }
        for key in keys.shuffled(using: &random).prefix(2500) {
            let thing = known.removeValue(forKey: key)!
            table.remove(.passUnretained(thing))
            if Int.random(in: 0..<3, using: &random) == 0 {
                known[key] = thing
                table.insert(thing)
            }
        }
        let (count, entered) = (table.count, table.all.count)
        #expect(count == known.count && entered == known.count, "seed \(seed)")
        for key in keys {
            let found = table[key]
            #expect(found === known[key], "key \(key), seed \(seed)")
        }
    }

    /// A lookup of a missing key doesn't scan all occupied slots in a row.
    @Test(.timeLimit(.minutes(20)))
    func `Missing keys in a long cluster are detected at once`() {
        var table = KeyTable<Thing>()
        let things = (0..<90_000).map { Thing($0) }
        for thing in things { table.insert(thing) }
        let size = Int64(table.size)
        for thing in things {
            let stranger = Thing(thing.key + size)
            let missing = table[stranger.key]
            #expect(missing === nil)
            table.remove(.passUnretained(stranger))
        }
        let left = table.count
        #expect(left == things.count)
    }

    @Test func `An emptied table accepts the same keys again`() {
        var table = KeyTable<Thing>()
        let things = (0..<100).map { Thing($0) }
        for thing in things { table.insert(thing) }
        table.removeAll()
        let (count, gone) = (table.count, table[5])
        #expect(count == 0)
        #expect(gone === nil)
        table.reserve(1000)
        let others = (0..<100).map { Thing($0) }
        for thing in others.reversed() { table.insert(thing) }
        let (first, all) = (table[0], table.all)
        #expect(first === others[0])
        #expect(all.count == 100)
    }
}
