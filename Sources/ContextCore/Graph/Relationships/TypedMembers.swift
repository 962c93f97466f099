/// Converts the members of a relationship to collections of their class, without deleted objects.
enum TypedMembers {
    static func set<Target: ManagedObject>(_ members: Set<ManagedObject>) -> Set<Target> {
        if !members.contains(where: { !isPlain($0, Target.self) }) {
            // Safe: sets of ManagedObject and of a subclass have the same layout and the same hashes, and every member
            // was just checked to be of the class. Hashing all members again would be expensive.
            return unsafeBitCast(members, to: Set<Target>.self)
        }
        return Set(members.lazy.filter(\.isLive).compactMap { $0 as? Target })
    }

    static func list<Target: ManagedObject>(_ members: [ManagedObject]) -> [Target] {
        if !members.contains(where: { !isPlain($0, Target.self) }) {
            // Safe: an array of references that were just checked to be of the class.
            return unsafeBitCast(members, to: [Target].self)
        }
        return members.lazy.filter(\.isLive).compactMap { $0 as? Target }
    }

    /// Whether an object is not deleted and its class is exactly the given one, which is the common case.
    private static func isPlain(_ object: ManagedObject, _ type: ManagedObject.Type) -> Bool {
        object.isLive && Swift.type(of: object) == type
    }
}
