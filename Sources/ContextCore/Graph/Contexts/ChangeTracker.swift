/// Holds the objects that the next save is about.
///
/// They live at least until then.
struct ChangeTracker {
    /// In the order in which they were first changed.
    ///
    /// Some may have gone back to what they were.
    private(set) var objects: [ManagedObject] = []

    /// Holds an object from now on.
    mutating func track(_ object: ManagedObject) {
        if object.isTracked { return }
        object.isTracked = true
        objects.append(object)
    }

    /// Whether a save would do anything.
    var hasChanges: Bool { objects.contains(where: \.hasChanges) }

    /// The objects in one state.
    func objects(in state: ObjectState) -> [ManagedObject] {
        objects.filter { $0.state == state }
    }

    /// Takes out objects that have nothing to save any more, and returns the list as it was.
    ///
    /// Who dies when that is let go of may come back to this one by its own `deinit`, which must not happen while it is changed.
    mutating func prune() -> [ManagedObject] {
        let before = objects
        objects = []
        before.forEachUncounted { object in
            if object.hasChanges { objects.append(object) } else { object.isTracked = false }
        }
        return before
    }
}
