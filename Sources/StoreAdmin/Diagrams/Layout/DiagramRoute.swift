/// The route of an edge through the gutters between columns and the gaps between boxes.
///
/// Gutter `g` is to the left of column `g`, and gap `k` of a column is above its box `k`.
struct DiagramRoute: Equatable {
    /// A gap of a column between those of the ends.
    struct Passage: Hashable {
        let column: Int
        let gap: Int
    }

    /// The end in the column farther left.
    let first: DiagramLayout.End
    let second: DiagramLayout.End
    let firstSide: DiagramLayout.Side
    let secondSide: DiagramLayout.Side
    /// Whether ``first`` is the second end of the edge.
    let isReversed: Bool
    let bundle: Int?
    /// The gutters, from left to right.
    let gutters: [Int]
    /// The gaps between those gutters.
    var passages: [Passage] = []
    /// The heights of the horizontal parts: at the first end, in each gap, and at the second end.
    var heights: [Int] = []

    /// Creates a route between two columns.
    init(_ edge: DiagramLayout.Edge, from firstColumn: Int, to secondColumn: Int) {
        isReversed = firstColumn > secondColumn
        (first, second) = isReversed ? (edge.second, edge.first) : (edge.first, edge.second)
        (firstSide, secondSide) = (.right, .left)
        bundle = edge.bundle
        gutters = Array(min(firstColumn, secondColumn) + 1...max(firstColumn, secondColumn))
    }

    /// Creates a route beside one column.
    init(_ edge: DiagramLayout.Edge, on side: DiagramLayout.Side, of column: Int) {
        (first, second) = (edge.first, edge.second)
        (firstSide, secondSide) = (side, side)
        isReversed = false
        bundle = edge.bundle
        gutters = [side == .left ? column : column + 1]
    }
}
