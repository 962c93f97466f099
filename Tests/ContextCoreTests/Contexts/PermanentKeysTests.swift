import RandomSeeds
import Testing

@testable import ContextCore

/// The map of temporary keys to permanent ones in a context.
struct PermanentKeysTests {
    private func expect(_ keys: PermanentKeys, _ temporary: [Int64], get permanent: Range<Int64>) {
        #expect(temporary.map { keys.key(of: $0) } == permanent.map(Optional.some), "\(temporary)")
    }

    @Test(
        arguments: [
            [-2, -4, -3, -5], [-1], [-4, -2, -9], [-1, -2, -3], [-1, -3, -5, -7], [-1, -2, -4, -5, -7, -8],
            [-3, -2, -1],
        ] as [[Int64]])
    func `Keys in any order get their permanent keys`(_ temporary: [Int64]) {
        var keys = PermanentKeys()
        let permanent: Range<Int64> = 10..<(10 + Int64(temporary.count))
        keys.record(permanent, for: temporary)
        expect(keys, temporary, get: permanent)
        for key in Int64(-12)...0 where !temporary.contains(key) { #expect(keys.key(of: key) == nil) }
    }

    @Test func `Random assignments are found in any order`() {
        var random = SeededRandom(seed: 23)
        var keys = PermanentKeys()
        var assigned: [([Int64], Range<Int64>)] = []
        var (next, free): (Int64, Int64) = (1, -1)
        for _ in 0..<300 {
            var temporary = (0..<Int.random(in: 1...12, using: &random)).map { _ in
                free -= Int64.random(in: 1...2, using: &random)
                return free
            }
            if Bool.random(using: &random) { temporary.shuffle(using: &random) }
            let permanent = next..<(next + Int64(temporary.count))
            next = permanent.upperBound
            keys.record(permanent, for: temporary)
            assigned.append((temporary, permanent))
        }
        for (temporary, permanent) in assigned { expect(keys, temporary, get: permanent) }
        keys.removeAssignment(assigned[7].0)
        #expect(assigned[7].0.allSatisfy { keys.key(of: $0) == nil })
    }

    @Test func `Alternating insertions into two trees take two runs per save`() {
        var keys = PermanentKeys()
        for save in 0..<500 {
            let first = -1 - Int64(save) * 10_000
            let (odd, even) = (
                Array(stride(from: first, to: first - 10_000, by: -2)),
                Array(stride(from: first - 1, to: first - 10_000, by: -2))
            )
            keys.record(1..<5001, for: odd)
            keys.record(1..<(Int64(even.count) + 1), for: even)
        }
        #expect(keys.runCount == 1000)
        #expect(keys.key(of: -1) == 1)
        #expect(keys.key(of: -4) == 2)
    }

    @Test func `Keys in irregular order are forgotten earlier`() {
        var keys = PermanentKeys()
        var latest: [Int64] = []
        for save in 0..<1000 {
            latest = (0..<100).map { -Int64(save) * 10_000 - Int64($0 * $0) - 1 }
            keys.record(1..<101, for: latest)
            #expect(keys.runCount <= PermanentKeys.runLimit)
        }
        expect(keys, latest, get: 1..<101)
        #expect(keys.key(of: -1) == nil)
    }
}
