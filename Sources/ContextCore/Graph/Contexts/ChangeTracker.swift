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

    /// Lets go of objects that have nothing to save any more.
    mutating func prune() {
        // Who goes may die with the old list, and a class's own `deinit` may come back to this one, which is as it is to be then.
        let before = objects
        objects = before.filter(\.hasChanges)
        for object in before where !object.hasChanges { object.isTracked = false }
    }
}
