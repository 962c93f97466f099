/// The boxes of each column with their vertical positions.
struct DiagramStacks {
    /// The boxes of each column, from top to bottom.
    private(set) var columns: [[Int]]
    /// The column of each box.
    let columnOf: [Int]
    let heights: [Int]
    /// The top of each box: a multiple of ``DiagramMeasure/unit``, plus half a unit in columns with odd numbers.
    private(set) var tops: [Int]
    /// The smallest distance above each box but the first of each column.
    private var gaps: [[Int]]

    init(columns: [[Int]], heights: [Int]) {
        self.columns = columns
        self.heights = heights
        tops = Array(repeating: 0, count: heights.count)
        gaps = columns.map { $0.dropFirst().map { _ in DiagramMeasure.smallestGap } }
        var columnOf = tops
        for (column, boxes) in columns.enumerated() {
            for box in boxes { columnOf[box] = column }
        }
        self.columnOf = columnOf
        for column in columns.indices { center(column) }
    }

    /// Makes room for a number of lines in each gap, counted from the one above the first box of a column.
    mutating func widenGaps(lines: [[Int]]) {
        for column in columns.indices {
            for place in gaps[column].indices {
                gaps[column][place] = DiagramMeasure.gap(lines: lines[column][place + 1])
            }
        }
    }

    /// Returns the height of an end of an edge.
    func height(of end: DiagramLayout.End) -> Int { tops[end.box] + end.offset }

    /// Returns the range of heights in which a gap of a column has lines; nil for an end of the range without a box.
    func range(ofGap gap: Int, in column: Int) -> (top: Int?, bottom: Int?) {
        let boxes = columns[column]
        return (
            gap == 0 ? nil : tops[boxes[gap - 1]] + heights[boxes[gap - 1]] + DiagramMeasure.clearance,
            gap == boxes.count ? nil : tops[boxes[gap]] - DiagramMeasure.clearance
        )
    }

    /// Half a unit in columns with odd numbers, so that the lines of adjacent columns have different heights.
    func phase(of column: Int) -> Int { column.isMultiple(of: 2) ? 0 : DiagramMeasure.unit / 2 }

    private func total(_ column: Int) -> Int {
        columns[column].reduce(0) { $0 + heights[$1] } + gaps[column].reduce(0, +)
    }

    private var totalHeight: Int { columns.indices.map(total).max() ?? 0 }

    private mutating func center(_ column: Int) {
        let start = (totalHeight - total(column)) / 2
        place(column, Array(repeating: Double(start), count: columns[column].count))
    }

    // MARK: Aligning

    /// Moves boxes such that lines to other columns become as straight as the order of the boxes permits.
    mutating func align(_ edges: [DiagramLayout.Edge]) {
        let ends = crossEnds(edges)
        for column in columns.indices { center(column) }
        for sweep in 0..<6 {
            let order = Array(columns.indices)
            for column in sweep.isMultiple(of: 2) ? order : order.reversed() { align(column, ends) }
        }
    }

    /// Returns for each box its ends of edges to other columns, with the opposite ends.
    private func crossEnds(_ edges: [DiagramLayout.Edge]) -> [[(own: Int, other: DiagramLayout.End)]] {
        var ends: [[(own: Int, other: DiagramLayout.End)]] = Array(repeating: [], count: heights.count)
        for edge in edges where columnOf[edge.first.box] != columnOf[edge.second.box] {
            ends[edge.first.box].append((edge.first.offset, edge.second))
            ends[edge.second.box].append((edge.second.offset, edge.first))
        }
        return ends
    }

    private mutating func align(_ column: Int, _ ends: [[(own: Int, other: DiagramLayout.End)]]) {
        var stacked = 0
        var wanted: [Double] = []
        var weights: [Double] = []
        for (place, box) in columns[column].enumerated() {
            let tops = ends[box].map { height(of: $0.other) - $0.own }.sorted()
            let top = tops.isEmpty ? self.tops[box] : tops[(tops.count - 1) / 2]
            wanted.append(Double(top - stacked))
            weights.append(tops.isEmpty ? 0.05 : Double(tops.count))
            stacked += heights[box] + (place < gaps[column].count ? gaps[column][place] : 0)
        }
        let room = Double(totalHeight - stacked)
        place(column, MonotoneFit.values(wanted, weights: weights).map { min(max($0, 0), room) })
    }

    /// Sets the tops of a column's boxes.
    ///
    /// The positions are relative to those in a stack with the smallest gaps, and never decrease.
    private mutating func place(_ column: Int, _ positions: [Double]) {
        var stacked = 0
        let unit = DiagramMeasure.unit
        for (place, box) in columns[column].enumerated() {
            // All other terms are multiples of the unit, so the boxes keep their distances.
            tops[box] = Int((positions[place] / Double(unit)).rounded()) * unit + stacked + phase(of: column)
            stacked += heights[box] + (place < gaps[column].count ? gaps[column][place] : 0)
        }
    }

    // MARK: Order

    /// Swaps adjacent boxes of a column while that shortens the lines.
    mutating func improveOrder(_ edges: [DiagramLayout.Edge]) {
        var edgesOf: [[Int]] = Array(repeating: [], count: heights.count)
        for (index, edge) in edges.enumerated() where edge.first.box != edge.second.box {
            edgesOf[edge.first.box].append(index)
            edgesOf[edge.second.box].append(index)
        }
        for _ in 0..<5 {
            var isBetter = false
            for column in columns.indices {
                for upper in columns[column].indices.dropLast() {
                    let pair = (columns[column][upper], columns[column][upper + 1])
                    let touched = (edgesOf[pair.0] + edgesOf[pair.1]).map { edges[$0] }
                    let before = length(touched)
                    swapBoxes(column, upper)
                    if length(touched) < before {
                        isBetter = true
                    } else {
                        swapBoxes(column, upper)
                    }
                }
            }
            if !isBetter { return }
        }
    }

    private func length(_ edges: [DiagramLayout.Edge]) -> Int {
        edges.reduce(0) { $0 + abs(height(of: $1.first) - height(of: $1.second)) }
    }

    private mutating func swapBoxes(_ column: Int, _ upper: Int) {
        let top = tops[columns[column][upper]]
        columns[column].swapAt(upper, upper + 1)
        tops[columns[column][upper]] = top
        tops[columns[column][upper + 1]] =
            top + heights[columns[column][upper]] + gaps[column][upper]
    }
}
