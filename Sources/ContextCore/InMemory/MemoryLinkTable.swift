/// The links of many-to-many relationships, indexed in both directions.
///
/// Each of two inverse relationships is an *end*. The ends of all many-to-many relationships are numbered.
struct MemoryLinkTable: Sendable {
    /// A link as seen from one end.
    struct Key: Comparable, Sendable {
        let owner: Int64
        let target: Int64

        @inline(__always)
        static func < (left: Key, right: Key) -> Bool {
            left.owner == right.owner ? left.target < right.target : left.owner < right.owner
        }
    }

    /// The number of the inverse of each end.
    let opposites: [Int]
    /// The links of each end, each with the position of its target in the owner's relationship.
    private(set) var ends: [SortedMap<Key, Int64>]

    init(opposites: [Int]) {
        self.opposites = opposites
        ends = opposites.map { _ in SortedMap() }
    }

    /// Adds a link, or changes its position.
    mutating func insertOrMove(_ link: RelatedRows.Link, end: Int) {
        ends[end][Key(owner: link.owner, target: link.target)] = link.position
        let back = Key(owner: link.target, target: link.owner)
        if ends[opposites[end]][back] == nil { ends[opposites[end]][back] = 0 }
    }

    /// Changes the position of a link; returns false if there is no such link.
    mutating func move(_ link: RelatedRows.Link, end: Int) -> Bool {
        let key = Key(owner: link.owner, target: link.target)
        if ends[end][key] == nil { return false }
        ends[end][key] = link.position
        return true
    }

    /// Removes a link; returns whether it existed.
    @discardableResult
    mutating func remove(owner: Int64, target: Int64, end: Int) -> Bool {
        let old = ends[end].removeValue(forKey: Key(owner: owner, target: target))
        ends[opposites[end]].removeValue(forKey: Key(owner: target, target: owner))
        return old != nil
    }

    /// Calls a closure with the links of an owner, in the order of the targets' keys.
    func forEach(of owner: Int64, end: Int, _ body: (_ target: Int64, _ position: Int64) -> Void) {
        ends[end].forEach(from: Key(owner: owner, target: .min)) { key, position in
            guard key.owner == owner else { return false }
            body(key.target, position)
            return true
        }
    }
}
