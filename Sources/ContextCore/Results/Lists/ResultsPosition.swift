/// A place in a list with sections.
///
/// A list without sections is one section.
public struct ResultsPosition: Hashable, Sendable {
    /// The number of the section, from 0.
    public var section: Int
    /// The number of the row in its section, from 0.
    public var row: Int

    /// Names a place.
    public init(section: Int, row: Int) {
        self.section = section
        self.row = row
    }
}

extension ResultsPosition: Comparable {
    public static func < (left: ResultsPosition, right: ResultsPosition) -> Bool {
        (left.section, left.row) < (right.section, right.row)
    }
}

extension ResultsPosition: CustomStringConvertible {
    /// The section and the row.
    public var description: String { "\(section).\(row)" }
}
