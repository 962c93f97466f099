/// The route of an edge between two boxes through the gutters of the grid.
///
/// Vertical gutter `g` is to the left of column `g`, and horizontal gutter `h` is above row `h`.
struct DiagramRoute: Equatable {
    enum Side: Equatable { case left, right }

    /// An end of the route: the side of a box, and the index of the port there.
    struct End: Equatable {
        let box: Int
        let side: Side
        var port = 0
    }

    var first: End
    var second: End
    /// The vertical gutter beside the first box.
    let firstGutter: Int
    /// The vertical gutter beside the second box, which may be the same.
    let secondGutter: Int
    /// The horizontal gutter between two different vertical ones.
    let crossGutter: Int?
    /// The tracks of the route in those gutters.
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

/// Allocates the tracks of a gutter; routes share a track only where their ranges don't overlap.
struct TrackAllocation {
    private var tracks: [[ClosedRange<Double>]] = []

    /// The number of tracks.
    var count: Int { tracks.count }

    /// Reserves a range on the first track where it is free, and returns the track's index.
    mutating func allocate(_ range: ClosedRange<Double>) -> Int {
        if let free = tracks.firstIndex(where: { used in !used.contains { $0.overlaps(range) } }) {
            tracks[free].append(range)
            return free
        }
        tracks.append([range])
        return tracks.count - 1
    }
}
