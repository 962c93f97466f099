/// Assigns each box a cell of a grid such that connected boxes are close to each other.
///
/// The assignment is deterministic.
struct DiagramGrid: Equatable {
    /// A row and a column of the grid.
    struct Cell: Hashable, Comparable {
        var row: Int
        var column: Int

        static func < (left: Cell, right: Cell) -> Bool {
            (left.row, left.column) < (right.row, right.column)
        }

        func distance(to other: Cell) -> Int { abs(row - other.row) + abs(column - other.column) }
    }

    let rows: Int
    let columns: Int
    /// The cell of each box.
    private(set) var cells: [Cell]
    private let neighbors: [[Int]]

    init(count: Int, edges: [(Int, Int)]) {
        columns = max(1, Int(Double(count * 3).squareRoot() / 1.4 + 0.999))
        rows = max(1, (count + columns - 1) / columns)
        var neighbors: [[Int]] = Array(repeating: [], count: count)
        for (first, second) in edges where first != second {
            neighbors[first].append(second)
            neighbors[second].append(first)
        }
        self.neighbors = neighbors
        cells = Array(repeating: Cell(row: 0, column: 0), count: count)
        for (place, box) in Self.order(neighbors).enumerated() {
            let row = place / columns
            // Every second row runs from right to left, so that consecutive boxes are adjacent.
            let column = row.isMultiple(of: 2) ? place % columns : columns - 1 - place % columns
            cells[box] = Cell(row: row, column: column)
        }
        improve()
    }

    /// Returns the boxes in breadth-first order from the one with the most neighbors.
    private static func order(_ neighbors: [[Int]]) -> [Int] {
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

    /// Swaps boxes, or moves them to empty cells, while that shortens the distances between neighbors.
    private mutating func improve() {
        var boxes: [Cell: Int] = [:]
        for (box, cell) in cells.enumerated() { boxes[cell] = box }
        let all = (0..<rows).flatMap { row in (0..<columns).map { Cell(row: row, column: $0) } }
        for _ in 0..<12 {
            var isBetter = false
            for first in all {
                for second in all where first < second {
                    let (left, right) = (boxes[first], boxes[second])
                    if left == nil && right == nil { continue }
                    let before = cost(left) + cost(right)
                    move(left, to: second)
                    move(right, to: first)
                    if cost(left) + cost(right) < before {
                        (boxes[first], boxes[second]) = (right, left)
                        isBetter = true
                    } else {
                        move(left, to: first)
                        move(right, to: second)
                    }
                }
            }
            if !isBetter { return }
        }
    }

    private mutating func move(_ box: Int?, to cell: Cell) {
        if let box { cells[box] = cell }
    }

    private func cost(_ box: Int?) -> Int {
        guard let box else { return 0 }
        return neighbors[box].reduce(0) { $0 + cells[box].distance(to: cells[$1]) }
    }
}
