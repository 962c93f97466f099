/// The distances in a diagram, in pixels.
///
/// The positions of horizontal parts of lines are on a lattice: their distance from the top of the first column is an odd multiple of
/// half a ``unit`` in columns with even numbers, and an even one in the others. So a part that leaves a column to the right never lies on
/// one that leaves the next column to the left.
enum DiagramMeasure {
    static let unit = 6
    static let headHeight = 30
    static let rowHeight = 18
    /// The space above the first row of a box, and below the last one.
    static let padding = 6
    /// The distance of parallel lines between two columns.
    static let track = 10
    /// The distance of parallel lines between two boxes of a column.
    static let gapTrack = 12
    /// The smallest distance of a box from a line above or below it.
    static let clearance = 18
    /// The smallest distance between two boxes of a column.
    static let smallestGap = 36
    /// The length of a marker at the end of a line, with some space.
    static let marker = 24
    static let margin = 18

    /// Returns the height of a box with a number of rows, a multiple of ``unit``.
    static func height(rows: Int) -> Int { headHeight + rows * rowHeight + 2 * padding }

    /// Returns the middle of a row, from the top of its box.
    static func offset(ofRow row: Int) -> Int { headHeight + padding + row * rowHeight + rowHeight / 2 }

    /// Returns the smallest distance between two boxes with a number of lines between them.
    static func gap(lines: Int) -> Int { max(smallestGap, 2 * clearance + max(0, lines - 1) * gapTrack) }
}
