import RandomSeeds
import Testing

@testable import ContextCore

struct FastHashTests {
    @Test func `Objects of one block of memory hash to nearby, distinct slots`() {
        let start: UInt = 0x7f12_3456_7000
        let places = (0..<16).map { FastHash.value(ofObjectAt: start + UInt($0) * 64, seed: 7) }
        #expect(zip(places, places.dropFirst()).allSatisfy(<))
        #expect(places[15] - places[0] < 128)
    }

    /// Objects that are allocated in turns have addresses at regular steps; a full table has the longest probe sequences.
    @Test(arguments: [64, 80, 96, 112, 128, 640, 1024, 3 * 1024, 4096, 64_000, 65_536, 1 << 20] as [UInt])
    func `Objects at any steps are found and missed quickly`(step: UInt) {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededRandom(seed: seed)
        // Random hashes would take 2.5 and 8.5 probes; equal hashes would take half of the table and most of it.
        let most = [
            (size: 16, found: 6, missed: 8), (64, 8, 12), (256, 6, 28), (2048, 11, 58), (16_384, 12, 60),
        ]
        for (size, mostFound, mostMissed) in most {
            let (count, tries) = (size * 3 / 4, size < 2048 ? 200 : 20)
            var (found, missed) = (0, 0)
            for _ in 0..<tries {
                let start = UInt.random(in: 0x7f00_0000_0000...0x7fff_0000_0000, using: &random) & ~15
                let tableSeed = Int.random(in: .min ... .max, using: &random)
                func hash(_ number: Int) -> Int {
                    FastHash.value(ofObjectAt: start + UInt(number) * step, seed: tableSeed)
                }
                var table = Table(size: size)
                for number in 0..<count { found += table.insert(hash(number)) }
                for number in 0..<count { missed += table.probes(for: hash(2 * count + number)) }
            }
            #expect(found < mostFound * count * tries, "a table of \(size), seed \(seed)")
            #expect(missed < mostMissed * count * tries, "a table of \(size), seed \(seed)")
        }
    }

    /// A table with linear probing that counts probes.
    private struct Table {
        private var isTaken: [Bool]

        init(size: Int) { isTaken = Array(repeating: false, count: size) }

        /// Returns the number of probes until a free slot.
        func probes(for hash: Int) -> Int {
            var (index, looks) = (hash & (isTaken.count - 1), 1)
            while isTaken[index] {
                index = (index + 1) & (isTaken.count - 1)
                looks += 1
            }
            return looks
        }

        /// Inserts a hash into the first free slot, and returns the number of probes.
        mutating func insert(_ hash: Int) -> Int {
            let looks = probes(for: hash)
            isTaken[(hash + looks - 1) & (isTaken.count - 1)] = true
            return looks
        }
    }
}
