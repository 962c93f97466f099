/// Assigns the vertical parts of lines in a gutter to parallel tracks, in an order with few crossings.
struct GutterTracks {
    /// A vertical part, or those of a bundle of lines.
    struct Item: Equatable {
        /// The heights at which horizontal parts reach it from the left.
        var left: Set<Int> = []
        /// The heights at which horizontal parts reach it from the right.
        var right: Set<Int> = []

        fileprivate var top: Int { min(left.min() ?? .max, right.min() ?? .max) }
        fileprivate var bottom: Int { max(left.max() ?? .min, right.max() ?? .min) }
    }

    /// The track of each item.
    private(set) var tracks: [Int]
    /// The number of tracks.
    private(set) var count = 0

    /// The smallest distance of items on the same track.
    private static let distance = 9

    private let items: [Item]
    private let ranges: [ClosedRange<Int>]

    init(_ items: [Item]) {
        self.items = items
        ranges = items.map { $0.top...$0.bottom }
        tracks = Array(repeating: 0, count: items.count)
        let order = order()
        assign(order)
        moveRight(order)
    }

    // MARK: Order

    /// Returns the items from left to right.
    private func order() -> [Int] {
        var order = items.indices.sorted { (rank($0), $0) < (rank($1), $1) }
        var costs = Array(repeating: 0, count: items.count * items.count)
        for first in items.indices {
            for second in items.indices where first != second {
                costs[first * items.count + second] = crossings(first, leftOf: second)
            }
        }
        for _ in items.indices {
            var isBetter = false
            for place in order.indices.dropLast() {
                let (first, second) = (order[place], order[place + 1])
                if costs[second * items.count + first] < costs[first * items.count + second] {
                    order.swapAt(place, place + 1)
                    isBetter = true
                }
            }
            if !isBetter { break }
        }
        return order
    }

    /// Returns a number that sorts short loops to the side that they are on, and lines that descend from the lowest to the highest.
    private func rank(_ index: Int) -> Int {
        let item = items[index]
        let length = ranges[index].upperBound - ranges[index].lowerBound
        if item.right.isEmpty { return -1_000_000 + length }
        if item.left.isEmpty { return 1_000_000 - length }
        let descends = (item.left.min() ?? 0) < (item.right.min() ?? 0)
        return descends ? -ranges[index].lowerBound : ranges[index].lowerBound
    }

    /// Returns the number of crossings of two items if one is to the left of the other.
    private func crossings(_ first: Int, leftOf second: Int) -> Int {
        items[second].left.count { ranges[first].contains($0) }
            + items[first].right.count { ranges[second].contains($0) }
    }

    // MARK: Tracks

    private func overlap(_ first: Int, _ second: Int) -> Bool {
        ranges[first].lowerBound - Self.distance < ranges[second].upperBound
            && ranges[second].lowerBound - Self.distance < ranges[first].upperBound
    }

    /// Gives each item the first track to the right of all overlapping items before it.
    private mutating func assign(_ order: [Int]) {
        for (place, item) in order.enumerated() {
            var track = 0
            for other in order[..<place] where overlap(item, other) { track = max(track, tracks[other] + 1) }
            tracks[item] = track
            count = max(count, track + 1)
        }
    }

    /// Moves the loops of the right side as far to the right as the items after them permit.
    private mutating func moveRight(_ order: [Int]) {
        for (place, item) in order.enumerated().reversed() where items[item].left.isEmpty {
            var track = count - 1
            for other in order[(place + 1)...] where overlap(item, other) {
                track = min(track, tracks[other] - 1)
            }
            tracks[item] = track
        }
    }
}
