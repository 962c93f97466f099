/// A step that changes a list.
///
/// Positions refer to the list after the preceding steps.
public enum ResultsStep: Hashable, Sendable {
    /// Deletes a row.
    case delete(ObjectID, at: ResultsPosition)
    /// Inserts an empty section.
    case insertSection(ResultsSection, at: Int)
    /// Removes a row and inserts it at a position of the list without it; its object may have changed too.
    case move(ObjectID, from: ResultsPosition, to: ResultsPosition)
    /// Inserts a row.
    case insert(ObjectID, at: ResultsPosition)
    /// Deletes an empty section.
    case deleteSection(ResultsSection, at: Int)
    /// Updates a row in place, because its object has changed.
    case update(ObjectID, at: ResultsPosition)
}

extension ResultsStep {
    /// The object that the step concerns; nil for a section.
    public var objectID: ObjectID? {
        switch self {
        case .delete(let id, _), .move(let id, _, _), .insert(let id, _), .update(let id, _): id
        case .insertSection, .deleteSection: nil
        }
    }
}
