import RandomSeeds
import Testing

@testable import ContextCore

struct SortedMapTests {
    @Test func `A map equals a dictionary through many changes`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed: seed)
        for range in [40, 400, 100_000] {
            var map = SortedMap<Int, Int>()
            var model: [Int: Int] = [:]
            for step in 0..<4_000 {
                let key = Int.random(in: 0..<range, using: &random)
                // The map grows first, and shrinks later.
                if Int.random(in: 0..<4_000, using: &random) > step {
                    #expect(map.updateValue(step, forKey: key) == model.updateValue(step, forKey: key))
                } else {
                    #expect(map.removeValue(forKey: key) == model.removeValue(forKey: key))
                }
                if step % 200 == 0 { expect(map, is: model, seed) }
            }
            for key in model.keys.sorted() { map[key] = nil }
            expect(map, is: [:], seed)
        }
    }

    @Test func `Ascending insertions fill the nodes`() {
        var map = SortedMap<Int, Void>()
        for key in 0..<10_000 { map[key] = () }
        #expect(map.invariantViolation() == nil)
        #expect(map.root.children.count <= 10_000 / (64 * 64) + 1)
    }

    @Test func `A copy doesn't change with its original`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed: seed)
        var map = SortedMap<Int, Int>()
        var model: [Int: Int] = [:]
        var copies: [(SortedMap<Int, Int>, [Int: Int])] = []
        for step in 0..<3_000 {
            let key = Int.random(in: 0..<500, using: &random)
            if Bool.random(using: &random) {
                map[key] = step
                model[key] = step
            } else {
                map[key] = nil
                model[key] = nil
            }
            if step % 100 == 0 { copies.append((map, model)) }
        }
        for (copy, model) in copies { expect(copy, is: model, seed) }
    }

    @Test func `Iteration starts at the first key that is not less`() {
        var map = SortedMap<Int, Int>()
        for key in stride(from: 0, to: 2_000, by: 2) { map[key] = key }
        for start in [-1, 0, 1, 126, 127, 128, 777, 1_998, 1_999] {
            var seen: [Int] = []
            map.forEach(from: start) { key, _ in
                seen.append(key)
                return true
            }
            #expect(seen == stride(from: 0, to: 2_000, by: 2).filter { $0 >= start })
            #expect(map.first(from: start)?.key == seen.first)
        }
    }

    @Test func `Iteration stops on request`() {
        var map = SortedMap<Int, Int>()
        for key in 0..<1_000 { map[key] = key }
        var seen = 0
        let reachedEnd = map.forEach { _, _ in
            seen += 1
            return seen < 300
        }
        #expect(seen == 300)
        #expect(!reachedEnd)
    }

    private func expect(_ map: SortedMap<Int, Int>, is model: [Int: Int], _ seed: UInt64) {
        var walked: [Int] = []
        map.forEach { key, value in
            #expect(model[key] == value, "seed \(seed)")
            walked.append(key)
            return true
        }
        #expect(walked == model.keys.sorted(), "seed \(seed)")
        #expect(map.invariantViolation() == nil, "seed \(seed)")
        #expect(model.keys.allSatisfy { map[$0] == model[$0] }, "seed \(seed)")
    }
}
