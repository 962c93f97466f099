/// The position of a row in a list with sections.
///
/// A list without sections has one section.
public struct ResultsPosition: Hashable, Sendable {
    /// The index of the section.
    public var section: Int
    /// The index of the row in its section.
    public var row: Int

    /// Creates a position.
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
    /// The section and the row, such as `0.3`.
    public var description: String { "\(section).\(row)" }
}
