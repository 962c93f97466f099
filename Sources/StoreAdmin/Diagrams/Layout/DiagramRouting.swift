/// The routes of all edges, with their ports and tracks.
struct DiagramRouting {
    private(set) var routes: [DiagramRoute]
    /// The number of tracks in each vertical gutter.
    private(set) var verticalTracks: [Int]
    /// The number of tracks in each horizontal gutter.
    private(set) var horizontalTracks: [Int]
    /// The number of ports of each box, at its side with more of them.
    private(set) var ports: [Int]
    private let grid: DiagramGrid

    init(_ edges: [(Int, Int)], in grid: DiagramGrid) {
        self.grid = grid
        routes = edges.map { DiagramRoute(from: $0, to: $1, in: grid) }
        verticalTracks = Array(repeating: 0, count: grid.columns + 1)
        horizontalTracks = Array(repeating: 0, count: grid.rows + 1)
        ports = Array(repeating: 0, count: grid.cells.count)
        assignPorts()
        assignTracks()
    }

    // MARK: Ports

    private struct PortClaim {
        let route: Int
        let isFirst: Bool
        let target: DiagramGrid.Cell
    }

    private mutating func assignPorts() {
        var claims: [Int: [DiagramRoute.Side: [PortClaim]]] = [:]
        for (index, route) in routes.enumerated() {
            let (first, second) = (route.first, route.second)
            claims[first.box, default: [:]][first.side, default: []].append(
                PortClaim(route: index, isFirst: true, target: grid.cells[second.box]))
            claims[second.box, default: [:]][second.side, default: []].append(
                PortClaim(route: index, isFirst: false, target: grid.cells[first.box]))
        }
        for (box, sides) in claims {
            for (_, claims) in sides {
                // Ports in the order of their targets make fewer routes cross.
                let sorted = claims.sorted { ($0.target, $0.route) < ($1.target, $1.route) }
                for (port, claim) in sorted.enumerated() {
                    if claim.isFirst {
                        routes[claim.route].first.port = port
                    } else {
                        routes[claim.route].second.port = port
                    }
                }
                ports[box] = max(ports[box], claims.count)
            }
        }
    }

    // MARK: Tracks

    private mutating func assignTracks() {
        var vertical = verticalTracks.map { _ in TrackAllocation() }
        var horizontal = horizontalTracks.map { _ in TrackAllocation() }
        for index in routes.indices {
            let route = routes[index]
            let (start, end) = (height(of: route.first), height(of: route.second))
            guard let cross = route.crossGutter else {
                let track = vertical[route.firstGutter].allocate(Self.range(start, end))
                routes[index].firstTrack = track
                routes[index].secondTrack = track
                continue
            }
            // A horizontal gutter counts as one height, because the route's track in it isn't known yet.
            let middle = Double(2 * cross)
            routes[index].firstTrack = vertical[route.firstGutter].allocate(Self.range(start, middle))
            routes[index].secondTrack = vertical[route.secondGutter].allocate(Self.range(end, middle))
            routes[index].crossTrack = horizontal[cross].allocate(
                Self.range(Double(route.firstGutter), Double(route.secondGutter)))
        }
        verticalTracks = vertical.map(\.count)
        horizontalTracks = horizontal.map(\.count)
    }

    /// Returns the vertical position of an end, in which rows have odd numbers and gutters have even ones.
    private func height(of end: DiagramRoute.End) -> Double {
        let side = end.side == .left ? 0.5 : 0
        return Double(2 * grid.cells[end.box].row + 1) + (Double(end.port) + side) / 10_000
    }

    private static func range(_ first: Double, _ second: Double) -> ClosedRange<Double> {
        min(first, second)...max(first, second)
    }
}
