import RandomSeeds
import Testing

@testable import ContextCore

struct PlainHashTests {
    @Test func `Objects of one piece of memory are neighbours in a table`() {
        let start: UInt = 0x7f12_3456_7000
        let first = PlainHash.value(ofObjectAt: start, seed: 7)
        for number in 0..<16 {
            #expect(PlainHash.value(ofObjectAt: start + UInt(number) * 64, seed: 7) == first + number)
        }
    }

    /// Objects that are made in turns with others lie in steps; those of a table that is as full as it gets have the longest way.
    @Test(arguments: [64, 80, 96, 112, 128, 640, 1024, 3 * 1024, 4096, 64_000, 65_536, 1 << 20] as [UInt])
    func `Whatever steps objects lie in, each is soon found`(step: UInt) {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededRandom(seed: seed)
        for size in [128, 2048, 16_384] {
            let (count, tries) = (size * 3 / 4, 20)
            var looks = 0
            for _ in 0..<tries {
                let start = UInt.random(in: 0x7f00_0000_0000...0x7fff_0000_0000, using: &random) & ~15
                let tableSeed = Int.random(in: .min ... .max, using: &random)
                looks += Self.looks(
                    (0..<count).map {
                        PlainHash.value(ofObjectAt: start + UInt($0) * step, seed: tableSeed)
                    }, in: size)
            }
            // By chance alone it would be 2.5, and where all want the same place, half of the table.
            #expect(looks < 25 * count * tries, "a table of \(size), seed \(seed)")
        }
    }

    /// How many places are looked at until all have found one in a table with linear probing.
    private static func looks(_ hashes: [Int], in size: Int) -> Int {
        var isTaken = Array(repeating: false, count: size)
        var looks = 0
        for hash in hashes {
            var index = hash & (size - 1)
            looks += 1
            while isTaken[index] {
                index = (index + 1) & (size - 1)
                looks += 1
            }
            isTaken[index] = true
        }
        return looks
    }
}
