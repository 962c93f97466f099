import ContextCore
import Testing

@testable import StoreAdmin

struct CopyOrderTests {
    @Test func `Referenced entities are copied first, cycles together`() throws {
        let model = try ObjectModel {
            Entity("A") { Relationship("b", to: "B", inverse: "as") }
            Entity("B") {
                Relationship("as", toMany: "A", inverse: "b")
                Relationship("c", to: "C", inverse: "bs")
            }
            Entity("C") {
                Relationship("bs", toMany: "B", inverse: "c")
                Relationship("d", to: "D", inverse: "cs")
                Relationship("ds", toMany: "D", inverse: "c")
            }
            Entity("D") {
                Relationship("c", to: "C", inverse: "ds")
                Relationship("cs", toMany: "C", inverse: "d")
            }
            Entity("E") {
                Relationship("above", to: "E", inverse: "below")
                Relationship("below", toMany: "E", inverse: "above")
            }
        }
        let groups = CopyOrder.groups(of: model).map { group in
            (group.roots.map { model.layouts[$0].name }, group.isCircular)
        }
        #expect(groups.map(\.0) == [["C", "D"], ["B"], ["A"], ["E"]])
        #expect(groups.map(\.1) == [true, false, false, true])
    }

    @Test func `Objects of a tree are ordered from the root to the leaves, whatever the input order`() {
        let references = [4: [3], 3: [2], 2: [1], 5: [1, 4]]
        let (ordered, circular) = CopyOrder.order([5, 4, 3, 2, 1], references)
        #expect(ordered == [1, 2, 3, 4, 5])
        #expect(circular.isEmpty)
    }

    @Test func `Cycles, and their dependents, are separate`() {
        let (ordered, circular) = CopyOrder.order([1, 2, 3, 4, 5], [1: [2], 2: [1], 3: [1], 4: [4]])
        #expect(ordered == [5])
        #expect(circular == [1, 2, 3, 4])
    }

    @Test func `Cycles are groups, each after those that it refers to`() {
        let references = [1: [2], 2: [1], 3: [1, 9], 4: [4], 5: [3, 4], 6: [7], 7: [8], 8: [6, 2]]
        let groups = CopyOrder.components(of: [5, 3, 4, 6, 7, 8, 1, 2], references)
        #expect(groups.map { $0.sorted() } == [[1, 2], [3], [4], [5], [6, 7, 8]])
    }

    @Test func `A chain that ends in a cycle is grouped without recursion`() {
        let count = 100_000
        let references = Dictionary(uniqueKeysWithValues: (1...count).map { ($0, [max(1, $0 - 1)]) })
        let groups = CopyOrder.components(of: Array((1...count).reversed()), references)
        #expect(groups == (1...count).map { [$0] })
    }
}
