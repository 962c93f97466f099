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
                let found = table[key]
                #expect(found === thing)
                table.remove(key, .passUnretained(thing))
                known[key] = nil
                let gone = table[key]
                #expect(gone === nil)
            } else {
                let thing = Thing()
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
