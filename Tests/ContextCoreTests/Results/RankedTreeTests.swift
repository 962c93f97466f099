import Foundation
import RandomSeeds
import Testing

@testable import ContextCore

struct RankedTreeTests {
    /// A number with a payload that doesn't affect the order.
    private struct Entry: RankedElement, Hashable {
        let number: Int
        var label = 0

        func precedes(_ other: Entry) -> Bool { number < other.number }
    }

    @Test func `Elements are in order, with the number of elements before them`() {
        var random = SeededRandom(seed: 1)
        var tree = RankedTree<Entry>()
        var model: [Int: Int] = [:]
        for step in 0..<4000 {
            let number = Int.random(in: 0..<1500, using: &random)
            if Int.random(in: 0..<(step < 2000 ? 4 : 2), using: &random) == 0 {
                tree.remove(Entry(number: number))
                model[number] = nil
            } else {
                tree.insert(Entry(number: number, label: step))
                model[number] = step
            }
            if step % 97 == 0 { #expect(tree.invariantViolation() == nil) }
        }
        let sorted = model.keys.sorted()
        #expect(tree.elements == sorted.map { Entry(number: $0, label: model[$0] ?? -1) })
        for (rank, number) in sorted.enumerated() {
            #expect(tree[rank].number == number && tree.rank(of: Entry(number: number)) == rank)
        }
        #expect(tree.elements(in: 10..<40).map(\.number) == Array(sorted[10..<40]))
        #expect(tree.element(at: Entry(number: sorted[3]))?.label == model[sorted[3]])
        #expect(
            tree.element(at: Entry(number: -1)) == nil && tree.rank(of: Entry(number: 9999)) == sorted.count)
    }

    @Test(arguments: [0, 1, 24, 25, 600, 5000]) func `A tree of sorted elements has all`(_ count: Int) {
        let tree = RankedTree(sorted: (0..<count).map { Entry(number: $0) })
        #expect(tree.invariantViolation() == nil && tree.elements.map(\.number) == Array(0..<count))
    }

    @Test func `Differences are found with their ranks, whatever is shared`() {
        var random = SeededRandom(seed: 2)
        for round in 0..<300 {
            let size = Int.random(in: 0..<2000, using: &random)
            let old = RankedTree(sorted: (0..<size).map { Entry(number: $0 * 3) })
            var new = round % 10 == 0 ? RankedTree(sorted: old.elements) : old
            for _ in 0..<Int.random(in: 0...30, using: &random) {
                let entry = Entry(number: Int.random(in: 0..<(size * 3 + 3), using: &random), label: round)
                if Bool.random(using: &random) { new.insert(entry) } else { new.remove(entry) }
            }
            let changes = TreeChanges(from: old, to: new)
            let (before, after) = (old.elements, new.elements)
            let (olds, news) = (Set(before.map(\.number)), Set(after.map(\.number)))
            #expect(changes.removed.map(\.element) == before.filter { !news.contains($0.number) })
            #expect(changes.added.map(\.element) == after.filter { !olds.contains($0.number) })
            #expect(
                changes.replaced.map(\.element) == after.filter { olds.contains($0.number) && $0.label != 0 })
            #expect(changes.removed.allSatisfy { before[$0.rank] == $0.element })
            #expect((changes.added + changes.replaced).allSatisfy { after[$0.rank] == $0.element })
        }
    }
}
