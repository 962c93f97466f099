/// One thing to be done to a list.
///
/// Positions are those of the list as the steps before have left it.
public enum ResultsStep: Hashable, Sendable {
    /// A row goes.
    case delete(ObjectID, at: ResultsPosition)
    /// A section comes, without rows.
    case insertSection(ResultsSection, at: Int)
    /// A row is taken out, and put in where it belongs once it is out; its object may have changed, too.
    case move(ObjectID, from: ResultsPosition, to: ResultsPosition)
    /// A row comes.
    case insert(ObjectID, at: ResultsPosition)
    /// A section goes, which has no rows any more.
    case deleteSection(ResultsSection, at: Int)
    /// A row stays where it is, and its object has changed.
    case update(ObjectID, at: ResultsPosition)
}

extension ResultsStep {
    /// The object that the step is about; nil for a section.
    public var objectID: ObjectID? {
        switch self {
        case .delete(let id, _), .move(let id, _, _), .insert(let id, _), .update(let id, _): id
        case .insertSection, .deleteSection: nil
        }
    }
}
