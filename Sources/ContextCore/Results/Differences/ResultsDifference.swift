/// What makes a new list of an old one, step by step.
///
/// Whoever carries out all steps, one after the other, on the old list has the new one. Each object is named once at the most, and no
/// fewer rows could be moved.
public struct ResultsDifference: Sendable {
    /// The steps, in the order in which they are to be done.
    public let steps: [ResultsStep]
    /// The list as it is afterwards.
    public let snapshot: ResultsSnapshot

    /// What ``ResultsSnapshot/totalCount`` was before.
    ///
    /// In a controller with a window it may have changed though no step is to be done.
    public let oldTotalCount: Int

    /// Whether there is nothing to be done, and nothing else has changed.
    public var isEmpty: Bool { steps.isEmpty && snapshot.totalCount == oldTotalCount }
}
