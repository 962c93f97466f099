/// Distributes the boxes of a diagram over its columns such that connected boxes are close to each other.
///
/// It assigns each connected box a cell of a grid, at first in breadth-first order, and then swaps boxes, which may lengthen the lines
/// a little at first (threshold accepting). Boxes without edges come last. The order of its trials depends on the seed alone.
struct DiagramPlacement {
    /// The boxes of each column, from top to bottom.
    private(set) var columns: [[Int]] = []

    private var columnCount = 1
    private var rowCount = 1
    /// The neighbors of each box; a neighbor by several edges is listed several times.
    private var neighbors: [[Int]]
    private var column: [Int]
    private var row: [Int]
    private var seed: UInt64

    /// The width of a diagram in relation to its height.
    private static let aspect = 1.5

    init(sizes: [(width: Int, height: Int)], edges: [DiagramLayout.Edge], seed: UInt64) {
        self.seed = seed
        neighbors = Array(repeating: [], count: sizes.count)
        column = Array(repeating: 0, count: sizes.count)
        row = column
        var isConnected = Array(repeating: false, count: sizes.count)
        for edge in edges {
            let (first, second) = (edge.first.box, edge.second.box)
            isConnected[first] = true
            isConnected[second] = true
            if first == second { continue }
            neighbors[first].append(second)
            neighbors[second].append(first)
        }
        setColumnCount(sizes)
        let order = breadthFirstOrder().filter { isConnected[$0] }
        rowCount = max(1, (order.count + columnCount - 1) / columnCount)
        for (place, box) in order.enumerated() {
            let line = place / columnCount
            // Every second row runs from right to left, so that consecutive boxes are adjacent.
            let offset = place % columnCount
            (row[box], column[box]) = (line, line.isMultiple(of: 2) ? offset : columnCount - 1 - offset)
        }
        improve(order)
        fillColumns(order, unconnected: sizes.indices.filter { !isConnected[$0] }, sizes)
    }

    private mutating func setColumnCount(_ sizes: [(width: Int, height: Int)]) {
        if sizes.isEmpty { return }
        let height = sizes.reduce(0) { $0 + $1.height + DiagramMeasure.smallestGap + 12 }
        let width = sizes.reduce(0) { $0 + $1.width } / sizes.count + 200
        let ideal = (Self.aspect * Double(height) / Double(width)).squareRoot()
        columnCount = min(sizes.count, max(sizes.count > 1 ? 2 : 1, Int(ideal.rounded())))
    }

    /// Returns the boxes in breadth-first order from the one with the most neighbors.
    private func breadthFirstOrder() -> [Int] {
        var order: [Int] = []
        var seen: Set<Int> = []
        let starts = neighbors.indices.sorted { (neighbors[$1].count, $0) < (neighbors[$0].count, $1) }
        for start in starts where seen.insert(start).inserted {
            var next = order.count
            order.append(start)
            while next < order.count {
                for neighbor in neighbors[order[next]].sorted() where seen.insert(neighbor).inserted {
                    order.append(neighbor)
                }
                next += 1
            }
        }
        return order
    }

    // MARK: Swapping

    /// Swaps boxes, or moves them to empty cells, while that shortens the lines.
    private mutating func improve(_ boxes: [Int]) {
        guard boxes.count > 2 else { return }
        var cells = Array(repeating: -1, count: rowCount * columnCount)
        for box in boxes { cells[row[box] * columnCount + column[box]] = box }
        let trials = min(90_000, 2_000 * boxes.count)
        for trial in 0..<trials {
            let threshold = 6 * (trials - trial) / trials - 1
            let first = boxes[next(boxes.count)]
            let cell = next(cells.count)
            let second = cells[cell]
            if second == first { continue }
            let from = (row: row[first], column: column[first])
            let before = cost(first) + (second < 0 ? 0 : cost(second))
            (row[first], column[first]) = (cell / columnCount, cell % columnCount)
            if second >= 0 { (row[second], column[second]) = from }
            let after = cost(first) + (second < 0 ? 0 : cost(second))
            if after - before <= threshold {
                cells[cell] = first
                cells[from.row * columnCount + from.column] = second
            } else {
                if second >= 0 { (row[second], column[second]) = (row[first], column[first]) }
                (row[first], column[first]) = from
            }
        }
    }

    /// Returns the cost of the lines of a box.
    ///
    /// A line to the next column is the cheapest; one past other columns needs gaps there.
    private func cost(_ box: Int) -> Int {
        let (ownRow, ownColumn) = (row[box], column[box])
        var cost = 0
        for other in neighbors[box] {
            let across = abs(column[other] - ownColumn)
            let down = abs(row[other] - ownRow)
            cost += (across == 0 ? 1 : 3 * across - 3) + 2 * down
        }
        return cost
    }

    private mutating func next(_ limit: Int) -> Int {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(seed >> 33) % limit
    }

    // MARK: Columns

    private mutating func fillColumns(
        _ connected: [Int], unconnected: [Int], _ sizes: [(width: Int, height: Int)]
    ) {
        columns = Array(repeating: [], count: columnCount)
        for box in connected.sorted(by: { (row[$0], $0) < (row[$1], $1) }) {
            columns[column[box]].append(box)
        }
        columns.removeAll { $0.isEmpty }
        if columns.isEmpty { columns = Array(repeating: [], count: columnCount) }
        var heights = columns.map { $0.reduce(0) { $0 + sizes[$1].height + DiagramMeasure.smallestGap } }
        for box in unconnected {
            let shortest = heights.indices.min { (heights[$0], $0) < (heights[$1], $1) } ?? 0
            columns[shortest].append(box)
            heights[shortest] += sizes[box].height + DiagramMeasure.smallestGap
        }
        columns.removeAll { $0.isEmpty }
    }
}
