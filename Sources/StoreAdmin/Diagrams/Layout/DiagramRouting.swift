/// The routes of all edges, with the heights of their horizontal parts.
struct DiagramRouting {
    private(set) var routes: [DiagramRoute] = []
    /// The number of lines in each gap of each column.
    private(set) var gapCounts: [[Int]]
    private let columnOf: [Int]

    /// Chooses the gaps and sides of each edge's route.
    init(_ edges: [DiagramLayout.Edge], in stacks: DiagramStacks) {
        columnOf = stacks.columnOf
        gapCounts = stacks.columns.map { Array(repeating: 0, count: $0.count + 1) }
        var loads = Array(repeating: 0, count: stacks.columns.count + 1)
        for edge in edges {
            let columns = (columnOf[edge.first.box], columnOf[edge.second.box])
            if columns.0 == columns.1 { continue }
            for gutter in min(columns.0, columns.1) + 1...max(columns.0, columns.1) { loads[gutter] += 1 }
        }
        for edge in edges {
            let (first, second) = (columnOf[edge.first.box], columnOf[edge.second.box])
            if first != second {
                var route = DiagramRoute(edge, from: first, to: second)
                choosePassages(&route, in: stacks)
                routes.append(route)
            } else {
                let side: DiagramLayout.Side = loads[first] < loads[first + 1] ? .left : .right
                loads[side == .left ? first : first + 1] += 1
                routes.append(DiagramRoute(edge, on: side, of: first))
            }
        }
    }

    /// Chooses the gap of each column between the ends that makes the route shortest, and avoids gaps with many lines.
    private mutating func choosePassages(_ route: inout DiagramRoute, in stacks: DiagramStacks) {
        var height = stacks.height(of: route.first)
        let target = stacks.height(of: route.second)
        for column in route.gutters.dropLast() {
            var best = (cost: Int.max, gap: 0, height: height)
            for gap in gapCounts[column].indices {
                let reached = Self.nearest(to: height, in: stacks.range(ofGap: gap, in: column))
                let detour = abs(reached - height) + abs(target - reached)
                let cost = 4 * detour + abs(reached - height) + 40 * gapCounts[column][gap]
                if cost < best.cost { best = (cost, gap, reached) }
            }
            gapCounts[column][best.gap] += 1
            route.passages.append(.init(column: column, gap: best.gap))
            height = best.height
        }
    }

    private static func nearest(to height: Int, in range: (top: Int?, bottom: Int?)) -> Int {
        let low = range.top ?? Int.min
        return max(low, min(height, max(low, range.bottom ?? Int.max)))
    }

    // MARK: Heights

    /// Sets the heights of all horizontal parts.
    mutating func assignHeights(in stacks: DiagramStacks) {
        var members: [DiagramRoute.Passage: [Int]] = [:]
        for index in routes.indices {
            let route = routes[index]
            let ends = (stacks.height(of: route.first), stacks.height(of: route.second))
            let between = route.passages.map {
                Self.nearest(to: ends.0, in: stacks.range(ofGap: $0.gap, in: $0.column))
            }
            routes[index].heights = [ends.0] + between + [ends.1]
            for passage in route.passages { members[passage, default: []].append(index) }
        }
        for passage in members.keys.sorted(by: { ($0.column, $0.gap) < ($1.column, $1.gap) }) {
            assignHeights(of: passage, members[passage] ?? [], in: stacks)
        }
        var straightening = DiagramStraightening(routes)
        straightening.run()
        routes = straightening.routes
    }

    /// Spreads the lines in a gap; each gets as close to its height in the column to the left as the others permit.
    private mutating func assignHeights(
        of passage: DiagramRoute.Passage, _ members: [Int], in stacks: DiagramStacks
    ) {
        let lines = members.map { index in
            let place = passage.column - routes[index].gutters[0] + 1
            let heights = routes[index].heights
            return (index: index, place: place, from: heights[place - 1], to: heights[place + 1])
        }.sorted { ($0.from + $0.to, $0.index) < ($1.from + $1.to, $1.index) }
        let range = stacks.range(ofGap: passage.gap, in: passage.column)
        let step = DiagramMeasure.gapTrack
        let length = (lines.count - 1) * step
        let wanted = lines.enumerated().map { Double($1.from - $0 * step) }
        let fitted = MonotoneFit.values(wanted, weights: wanted.map { _ in 1 })
        let (unit, phase) = (DiagramMeasure.unit, stacks.phase(of: passage.column))
        for (order, line) in lines.enumerated() {
            let low = range.top.map { Double($0) } ?? -.infinity
            let high = range.bottom.map { Double($0 - length) } ?? .infinity
            let position = max(min(fitted[order], high), low) - Double(phase)
            routes[line.index].heights[line.place] =
                Int((position / Double(unit)).rounded()) * unit + phase + unit / 2 + order * step
        }
    }
}
