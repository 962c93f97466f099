/// The way of an edge between two boxes, in terms of the grid: it runs in the gutters, and never through a box.
///
/// Vertical gutter `g` lies to the left of column `g`, horizontal gutter `h` above row `h`.
struct DiagramRoute: Equatable {
    enum Side: Equatable { case left, right }

    /// One end: the side of the box, and which of the ports there.
    struct End: Equatable {
        let box: Int
        let side: Side
        var port = 0
    }

    var first: End
    var second: End
    /// The vertical gutters beside the two boxes; one and the same where the way needs no other.
    let firstGutter: Int
    let secondGutter: Int
    /// The horizontal gutter between them, where there are two.
    let crossGutter: Int?
    /// The tracks that the way has for itself in those gutters.
    var firstTrack = 0
    var secondTrack = 0
    var crossTrack = 0

    init(from first: Int, to second: Int, in grid: DiagramGrid) {
        let (a, b) = (grid.cells[first], grid.cells[second])
        let leavesRight = a.column <= b.column
        let entersRight = a.column >= b.column
        self.first = End(box: first, side: leavesRight ? .right : .left)
        self.second = End(box: second, side: entersRight ? .right : .left)
        firstGutter = leavesRight ? a.column + 1 : a.column
        secondGutter = entersRight ? b.column + 1 : b.column
        crossGutter = firstGutter == secondGutter ? nil : a.row <= b.row ? a.row + 1 : a.row
    }
}

/// Gives ways that share a gutter tracks of their own; those that are never side by side may share one.
struct TrackAllocation {
    private var tracks: [[ClosedRange<Double>]] = []

    /// How many tracks there are.
    var count: Int { tracks.count }

    /// The first track on which nothing is in the way.
    mutating func allocate(_ range: ClosedRange<Double>) -> Int {
        if let free = tracks.firstIndex(where: { taken in !taken.contains { $0.overlaps(range) } }) {
            tracks[free].append(range)
            return free
        }
        tracks.append([range])
        return tracks.count - 1
    }
}
