/// Where everything of a diagram stands: boxes in a grid, lines in the gutters between them.
///
/// No box touches another, no line runs through a box, and no two lines run over each other; they may only cross.
struct DiagramLayout: Equatable {
    /// A place, in the diagram's own units.
    struct Point: Equatable {
        var x: Double
        var y: Double
    }

    /// A box's corner and size.
    struct Box: Equatable {
        var x: Double
        var y: Double
        var width: Double
        var height: Double
    }

    /// The measures of a diagram.
    enum Measure {
        static let port = 16.0
        static let firstPort = 32.0
        static let track = 10.0
        /// What is left beside the tracks of a gutter, for the signs at the ends of lines.
        static let gutterEdge = 22.0
        static let crossEdge = 14.0
        static let margin = 16.0
    }

    let boxes: [Box]
    /// The points of each line, from box to box.
    let lines: [[Point]]
    let width: Double
    let height: Double

    /// Lays boxes of some sizes out, and the edges between them.
    init(sizes: [(width: Double, height: Double)], edges: [(Int, Int)]) {
        let grid = DiagramGrid(count: sizes.count, edges: edges)
        let routing = DiagramRouting(edges, in: grid)
        var widths = Array(repeating: 0.0, count: grid.columns)
        var heights = Array(repeating: 0.0, count: grid.rows)
        let boxHeights = sizes.indices.map { box in
            let needed = Measure.firstPort + Double(routing.ports[box]) * Measure.port
            return max(sizes[box].height, needed)
        }
        for (box, cell) in grid.cells.enumerated() {
            widths[cell.column] = max(widths[cell.column], sizes[box].width)
            heights[cell.row] = max(heights[cell.row], boxHeights[box])
        }
        let across = Self.positions(
            widths,
            gutters: routing.verticalTracks.map { 2 * Measure.gutterEdge + Double($0) * Measure.track })
        let down = Self.positions(
            heights,
            gutters: routing.horizontalTracks.map { 2 * Measure.crossEdge + Double($0) * Measure.track })
        boxes = grid.cells.enumerated().map { box, cell in
            Box(
                x: across.cells[cell.column], y: down.cells[cell.row], width: widths[cell.column],
                height: boxHeights[box])
        }
        let boxes = self.boxes
        lines = routing.routes.map { route in
            Self.points(of: route, boxes, across.gutters, down.gutters)
        }
        width = across.end + Measure.margin
        height = down.end + Measure.margin
    }

    /// Where cells and the gutters before them begin.
    private static func positions(
        _ cells: [Double], gutters: [Double]
    ) -> (cells: [Double], gutters: [Double], end: Double) {
        var position = Measure.margin
        var starts: (cells: [Double], gutters: [Double]) = ([], [])
        for (gutter, cell) in zip(gutters, cells) {
            starts.gutters.append(position)
            position += gutter
            starts.cells.append(position)
            position += cell
        }
        starts.gutters.append(position)
        return (starts.cells, starts.gutters, position + (gutters.last ?? 0))
    }

    private static func points(
        of route: DiagramRoute, _ boxes: [Box], _ across: [Double], _ down: [Double]
    ) -> [Point] {
        let start = port(route.first, boxes[route.first.box])
        let end = port(route.second, boxes[route.second.box])
        let firstX = across[route.firstGutter] + Measure.gutterEdge + Double(route.firstTrack) * Measure.track
        let secondX =
            across[route.secondGutter] + Measure.gutterEdge + Double(route.secondTrack) * Measure.track
        guard let cross = route.crossGutter else {
            return [start, Point(x: firstX, y: start.y), Point(x: firstX, y: end.y), end]
        }
        let y = down[cross] + Measure.crossEdge + Double(route.crossTrack) * Measure.track
        return [
            start, Point(x: firstX, y: start.y), Point(x: firstX, y: y), Point(x: secondX, y: y),
            Point(x: secondX, y: end.y), end,
        ]
    }

    /// Ports at left sides stand between those at right sides, so that lines from both sides of a gutter never meet.
    private static func port(_ end: DiagramRoute.End, _ box: Box) -> Point {
        let isLeft = end.side == .left
        let y = box.y + Measure.firstPort + (Double(end.port) + (isLeft ? 0.5 : 0)) * Measure.port
        return Point(x: isLeft ? box.x : box.x + box.width, y: y)
    }
}
