/// The objects with unsaved changes, which are retained until the next save.
struct ChangeTracker {
    /// The tracked objects in the order of their first change.
    ///
    /// It may include objects whose changes have been reverted.
    private(set) var objects: [ManagedObject] = []

    /// Adds an object unless it is already tracked.
    mutating func track(_ object: ManagedObject) {
        if object.isTracked { return }
        object.isTracked = true
        objects.append(object)
    }

    /// Whether any tracked object has unsaved changes.
    var hasChanges: Bool { objects.contains(where: \.hasChanges) }

    /// Returns the tracked objects in one state.
    func objects(in state: ObjectState) -> [ManagedObject] {
        objects.filter { $0.state == state }
    }

    /// Removes objects without unsaved changes, and returns the previous list.
    ///
    /// Releasing that list may run a `deinit` that calls back into this tracker, so the caller releases it after this function returns.
    mutating func prune() -> [ManagedObject] {
        let before = objects
        objects = []
        before.forEachUnretained { object in
            if object.hasChanges { objects.append(object) } else { object.isTracked = false }
        }
        return before
    }
}
