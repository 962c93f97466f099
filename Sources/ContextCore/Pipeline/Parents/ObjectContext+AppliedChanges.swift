extension ObjectContext {
    /// Whether a block's context records the change sets of its saves.
    package var recordsAppliedChanges: Bool {
        get { sessionParent?.appliedChanges != nil }
        set { sessionParent?.appliedChanges = newValue ? [] : nil }
    }

    /// The change sets that the store has applied in the block's transaction, with the derived attributes that it computed.
    package var appliedChanges: [ChangeSet] { sessionParent?.appliedChanges ?? [] }

    private var sessionParent: SessionParent? { graph.parent as? SessionParent }
}
