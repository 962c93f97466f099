/// The horizontal positions in the gutters between columns: tracks for the vertical parts of lines, and room for the texts at their ends.
struct DiagramGutters {
    /// The width of each gutter.
    private(set) var widths: [Int]
    /// The positions of each route's vertical parts, from the left of their gutter.
    private(set) var tracks: [[Int]]

    init(_ routing: DiagramRouting, in stacks: DiagramStacks, _ edges: [DiagramLayout.Edge]) {
        let count = stacks.columns.count + 1
        widths = Array(repeating: 0, count: count)
        tracks = routing.routes.map { $0.gutters.map { _ in 0 } }
        var items = Array(repeating: [GutterTracks.Item](), count: count)
        var places: [Bundle: Int] = [:]
        /// For each vertical part its item; nil for a straight line.
        var itemOf: [[Int?]] = tracks.map { $0.map { _ in nil } }
        for (index, route) in routing.routes.enumerated() {
            for (part, gutter) in route.gutters.enumerated()
            where route.heights[part] != route.heights[part + 1] {
                let bundle = route.bundle.map { Bundle(gutter: gutter, number: $0) }
                let place = bundle.flatMap { places[$0] } ?? items[gutter].count
                if let bundle { places[bundle] = place }
                if place == items[gutter].count { items[gutter].append(.init()) }
                Self.add(route, part, to: &items[gutter][place])
                itemOf[index][part] = place
            }
        }
        for gutter in 0..<count {
            let margins = Self.margins(gutter, routing.routes, last: count - 1)
            let allocation = GutterTracks(items[gutter])
            widths[gutter] =
                margins.left + margins.right + max(0, allocation.count - 1) * DiagramMeasure.track
            for (index, route) in routing.routes.enumerated() {
                for part in route.gutters.indices where route.gutters[part] == gutter {
                    guard let item = itemOf[index][part] else { continue }
                    tracks[index][part] = margins.left + allocation.tracks[item] * DiagramMeasure.track
                }
            }
        }
    }

    private struct Bundle: Hashable {
        let gutter: Int
        let number: Int
    }

    private static func add(_ route: DiagramRoute, _ part: Int, to item: inout GutterTracks.Item) {
        let isLoop = route.firstSide == route.secondSide
        let (from, to) = (route.heights[part], route.heights[part + 1])
        if isLoop && route.firstSide == .left { item.right.insert(from) } else { item.left.insert(from) }
        if isLoop && route.firstSide == .right { item.left.insert(to) } else { item.right.insert(to) }
    }

    /// Returns the room at both sides of a gutter's tracks.
    private static func margins(_ gutter: Int, _ routes: [DiagramRoute], last: Int) -> (left: Int, right: Int)
    {
        var (left, right) = (DiagramMeasure.margin, DiagramMeasure.margin)
        for route in routes {
            for (part, end, side) in [
                (0, route.first, route.firstSide), (route.gutters.count - 1, route.second, route.secondSide),
            ] where route.gutters[part] == gutter {
                let room = DiagramMeasure.marker + end.labelWidth
                if side == .right { left = max(left, room) } else { right = max(right, room) }
            }
        }
        return (left, right)
    }
}
