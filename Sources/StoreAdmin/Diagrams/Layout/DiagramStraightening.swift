/// Removes small steps from lines: a part of a line that differs from the next part by half a unit gets the same height if no other line
/// has that height there.
///
/// The lattice of ``DiagramMeasure`` causes such steps wherever two properties are beside each other.
struct DiagramStraightening {
    private(set) var routes: [DiagramRoute]
    /// The number of horizontal parts at each height in each gutter.
    private var counts: [Place: Int] = [:]

    private struct Place: Hashable {
        let gutter: Int
        let height: Int
    }

    private static let step = DiagramMeasure.unit / 2

    init(_ routes: [DiagramRoute]) {
        self.routes = routes
        for route in routes {
            for part in route.heights.indices { count(route, part, 1) }
        }
    }

    mutating func run() {
        for index in routes.indices where routes[index].firstSide != routes[index].secondSide {
            var wasMoved = false
            for part in routes[index].gutters.indices {
                let heights = routes[index].heights
                if abs(heights[part] - heights[part + 1]) != Self.step {
                    wasMoved = heights[part] == heights[part + 1]
                } else if canMove(index, part + 1, to: heights[part]) {
                    move(index, part + 1, to: heights[part])
                    wasMoved = true
                } else if !wasMoved, canMove(index, part, to: heights[part + 1]) {
                    move(index, part, to: heights[part + 1])
                    wasMoved = true
                } else {
                    wasMoved = false
                }
            }
        }
    }

    /// Returns whether a part can get a height, which its own neighbor has in the gutter between them.
    private func canMove(_ index: Int, _ part: Int, to height: Int) -> Bool {
        let route = routes[index]
        // The lines of a bundle have the same second end.
        let last = route.heights.count - 1
        if route.bundle != nil, part == (route.isReversed ? 0 : last) { return false }
        // A lower end could be on the text of the next row's end.
        if part == 0 || part == last, height > route.heights[part] { return false }
        return gutters(route, part).allSatisfy { gutter in
            let own =
                gutters(route, part - 1).contains(gutter) && part > 0 && route.heights[part - 1] == height
            let next =
                part + 1 < route.heights.count && gutters(route, part + 1).contains(gutter)
                && route.heights[part + 1] == height
            return counts[Place(gutter: gutter, height: height), default: 0] == (own || next ? 1 : 0)
        }
    }

    private mutating func move(_ index: Int, _ part: Int, to height: Int) {
        count(routes[index], part, -1)
        routes[index].heights[part] = height
        count(routes[index], part, 1)
    }

    private mutating func count(_ route: DiagramRoute, _ part: Int, _ change: Int) {
        for gutter in gutters(route, part) {
            counts[Place(gutter: gutter, height: route.heights[part]), default: 0] += change
        }
    }

    /// Returns the gutters that a part of a route reaches.
    private func gutters(_ route: DiagramRoute, _ part: Int) -> ArraySlice<Int> {
        if part < 0 { return [] }
        return route.gutters[max(0, part - 1)..<min(route.gutters.count, part + 1)]
    }
}
