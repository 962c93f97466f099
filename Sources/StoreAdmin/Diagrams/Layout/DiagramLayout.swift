/// The positions in a diagram: boxes are in a grid, and lines run in the gutters between them.
///
/// Boxes don't touch, lines don't run through boxes, and lines may cross but not overlap.
struct DiagramLayout: Equatable {
    /// A point, in the units of the diagram.
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

    /// The distances in a diagram.
    enum Measure {
        static let port = 16.0
        static let firstPort = 32.0
        static let track = 10.0
        /// The space beside the tracks of a vertical gutter, for the markers at the ends of lines.
        static let gutterEdge = 22.0
        static let crossEdge = 14.0
        static let margin = 16.0
    }

    let boxes: [Box]
    /// The points of each line, from box to box.
    let lines: [[Point]]
    let width: Double
    let height: Double

    /// Lays out boxes of the given sizes, and the edges between them.
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

    /// Returns the start of each cell and gutter along one axis, and the end of the last gutter.
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

    /// Returns the position of a port.
    ///
    /// Ports on left sides are offset by half a step from those on right sides, so that lines into a gutter from both sides don't overlap.
    private static func port(_ end: DiagramRoute.End, _ box: Box) -> Point {
        let isLeft = end.side == .left
        let y = box.y + Measure.firstPort + (Double(end.port) + (isLeft ? 0.5 : 0)) * Measure.port
        return Point(x: isLeft ? box.x : box.x + box.width, y: y)
    }
}
