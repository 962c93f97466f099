import Testing

@testable import ContextCore

struct ListPositionsTests {
    @Test(
        arguments: [
            [.max, nil], [nil, .min], [.min, nil, .max], [.min, nil, nil], [nil, nil, .min, .max, nil],
            [.max - 1, nil, .max], [-1, nil, .max], [nil, nil], [],
        ] as [[Int64?]])
    func `Positions increase, whatever a store has`(old: [Int64?]) {
        let positions = ListPositions.assign(old, gap: ListPositions.gap)
        #expect(positions.count == old.count)
        #expect(zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 })
    }
}
