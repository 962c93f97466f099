/// The steps that turn an old list into a new one.
///
/// Applying all steps in order to the old list yields the new one. Each object occurs in at most one step, and the number of moves is
/// minimal.
public struct ResultsDifference: Sendable {
    /// The steps, in the order of application.
    public let steps: [ResultsStep]
    /// The list after the steps.
    public let snapshot: ResultsSnapshot

    /// The ``ResultsSnapshot/totalCount`` before the steps.
    ///
    /// In a controller with a window it may change even if there are no steps.
    public let oldTotalCount: Int

    /// Whether there are no steps, and the total count is unchanged.
    public var isEmpty: Bool { steps.isEmpty && snapshot.totalCount == oldTotalCount }
}
