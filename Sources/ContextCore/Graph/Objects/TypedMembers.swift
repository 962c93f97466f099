/// Members of a relationship as collections of their class, without those that are to be deleted.
enum TypedMembers {
    static func set<Target: ManagedObject>(_ members: Set<ManagedObject>) -> Set<Target> {
        if !members.contains(where: { !isPlain($0, Target.self) }) {
            // A set of objects keeps references and hashes that the class ManagedObject alone decides on, so the set of a subclass
            // is the same memory. Every member has just been seen to be of that class. Hashing all of them again is what costs.
            return unsafeBitCast(members, to: Set<Target>.self)
        }
        return Set(members.lazy.filter(\.isKept).compactMap { $0 as? Target })
    }

    static func list<Target: ManagedObject>(_ members: [ManagedObject]) -> [Target] {
        if !members.contains(where: { !isPlain($0, Target.self) }) {
            // An array of references, all of which have just been seen to be of the class.
            return unsafeBitCast(members, to: [Target].self)
        }
        return members.lazy.filter(\.isKept).compactMap { $0 as? Target }
    }

    /// Whether an object is kept and of exactly a class, as almost all are.
    private static func isPlain(_ object: ManagedObject, _ type: ManagedObject.Type) -> Bool {
        object.isKept && Swift.type(of: object) == type
    }
}
