/// The positions in a diagram: boxes are stacked in columns, and lines run in the gutters between columns and in the gaps between boxes.
///
/// Boxes don't touch, lines don't run through boxes, and lines may cross but not overlap. Each line begins and ends at the offset in its
/// box that the edge names, at the left or right side. The layout of the same boxes and edges is always the same.
struct DiagramLayout: Equatable {
    /// A point, in the units of the diagram.
    struct Point: Equatable {
        var x: Int
        var y: Int
    }

    /// A box's corner and size.
    struct Box: Equatable {
        var x: Int
        var y: Int
        var width: Int
        var height: Int
    }

    /// An end of an edge.
    struct End: Equatable {
        let box: Int
        /// The distance of the end from the top of the box, an odd multiple of half a ``DiagramMeasure/unit``.
        let offset: Int
        /// The width of the text beside the end.
        var labelWidth = 0
    }

    /// A line to draw between two boxes, or from a box to itself.
    struct Edge: Equatable {
        let first: End
        let second: End
        /// The number of a bundle of edges that may share parts of their lines; nil for an edge with a separate line.
        var bundle: Int?
    }

    enum Side: Equatable { case left, right }

    /// The line of an edge, with horizontal and vertical parts in turn.
    struct Line: Equatable {
        let points: [Point]
        let firstSide: Side
        let secondSide: Side
    }

    let boxes: [Box]
    let lines: [Line]
    let width: Int
    let height: Int

    /// Lays out boxes of the given sizes, and the edges between them.
    ///
    /// - Parameter sizes: The sizes; heights are multiples of ``DiagramMeasure/unit``.
    init(sizes: [(width: Int, height: Int)], edges: [Edge]) {
        // A small diagram is quick to lay out, so it pays to try several placements.
        let count = max(1, min(8, 120 / max(1, sizes.count)))
        var best = Self(sizes: sizes, edges: edges, seed: 1)
        for seed in 1..<count {
            let other = Self(sizes: sizes, edges: edges, seed: UInt64(seed + 1))
            if other.cost < best.cost { best = other }
        }
        self = best
    }

    private init(sizes: [(width: Int, height: Int)], edges: [Edge], seed: UInt64) {
        let heights = sizes.map(\.height)
        let placement = DiagramPlacement(sizes: sizes, edges: edges, seed: seed)
        var stacks = DiagramStacks(columns: placement.columns, heights: heights)
        stacks.improveOrder(edges)
        stacks.align(edges)
        var routing = DiagramRouting(edges, in: stacks)
        stacks.widenGaps(lines: routing.gapCounts)
        stacks.align(edges)
        routing.assignHeights(in: stacks)
        let gutters = DiagramGutters(routing, in: stacks, edges)
        self.init(stacks, routing, gutters, sizes)
    }

    private init(
        _ stacks: DiagramStacks, _ routing: DiagramRouting, _ gutters: DiagramGutters,
        _ sizes: [(width: Int, height: Int)]
    ) {
        var x = 0
        var starts: [Int] = []
        var boxes = sizes.map { Box(x: 0, y: 0, width: $0.width, height: $0.height) }
        for (column, members) in stacks.columns.enumerated() {
            starts.append(x)
            x += gutters.widths[column]
            let width = members.map { sizes[$0].width }.max() ?? 0
            for box in members {
                (boxes[box].x, boxes[box].y, boxes[box].width) = (x, stacks.tops[box], width)
            }
            x += width
        }
        starts.append(x)
        width = x + gutters.widths[stacks.columns.count]
        let ys = routing.routes.flatMap(\.heights) + boxes.map(\.y)
        let top = (ys.min() ?? 0) - DiagramMeasure.margin
        let bottom = max(ys.max() ?? 0, boxes.map { $0.y + $0.height }.max() ?? 0)
        height = bottom + DiagramMeasure.margin - top
        for index in boxes.indices { boxes[index].y -= top }
        self.boxes = boxes
        lines = routing.routes.enumerated().map { index, route in
            let ends = (boxes[route.first.box], boxes[route.second.box])
            let points = Self.points(
                route, from: ends.0, to: ends.1, down: top,
                tracks: zip(route.gutters, gutters.tracks[index]).map { starts[$0] + $1 })
            return Line(
                points: route.isReversed ? points.reversed() : points,
                firstSide: route.isReversed ? route.secondSide : route.firstSide,
                secondSide: route.isReversed ? route.firstSide : route.secondSide)
        }
    }

    // MARK: Cost

    /// How hard the diagram is to read: the length of its lines and its extent, with a penalty for each crossing and each bend.
    private var cost: Int {
        var cost = width + height
        var (across, down): ([(line: Int, from: Point, to: Point)], [(line: Int, from: Point, to: Point)]) = (
            [], []
        )
        for (index, line) in lines.enumerated() {
            cost += 40 * line.points.count
            for (from, to) in zip(line.points, line.points.dropFirst()) {
                cost += abs(from.x - to.x) + abs(from.y - to.y)
                if from.y == to.y { across.append((index, from, to)) } else { down.append((index, from, to)) }
            }
        }
        for (line, from, to) in across {
            cost +=
                60
                * down.count { other in
                    other.line != line && min(from.x, to.x) < other.from.x && other.from.x < max(from.x, to.x)
                        && min(other.from.y, other.to.y) < from.y && from.y < max(other.from.y, other.to.y)
                }
        }
        return cost
    }

    // MARK: Points

    /// Returns the points of a route without those in the middle of a straight part.
    private static func points(
        _ route: DiagramRoute, from first: Box, to second: Box, down: Int, tracks: [Int]
    ) -> [Point] {
        let start = route.firstSide == .left ? first.x : first.x + first.width
        let end = route.secondSide == .left ? second.x : second.x + second.width
        var points = [Point(x: start, y: route.heights[0] - down)]
        for (place, x) in tracks.enumerated() where route.heights[place] != route.heights[place + 1] {
            points.append(Point(x: x, y: route.heights[place] - down))
            points.append(Point(x: x, y: route.heights[place + 1] - down))
        }
        return points + [Point(x: end, y: route.heights[tracks.count] - down)]
    }
}
