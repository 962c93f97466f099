/// Merges a context's order of a list with the stored order, without losing members of either.
enum ListMerging {
    /// Returns the stored list with the changes of a context.
    ///
    /// - Parameters:
    ///   - mine: The members in the order that the context has.
    ///   - stored: The members in the order that the store has.
    ///   - added: The members that the context added.
    ///   - removed: The members that the context removed.
    ///   - isReordered: Whether the context moved members; if so, the members of both lists get the context's order.
    static func merge<Member: Hashable>(
        _ mine: [Member], into stored: [Member], added: Set<Member>, removed: Set<Member>, isReordered: Bool
    ) -> [Member] {
        var merged = stored.filter { !removed.contains($0) }
        let known = Set(merged)
        if isReordered { merged = order(merged, as: mine) }
        let additions = mine.filter { added.contains($0) && !known.contains($0) }
        if additions.isEmpty { return merged }
        return insert(additions, into: merged, as: mine)
    }

    /// Reorders the members that two lists share as in the other list; all other members keep their positions.
    static func order<Member: Hashable>(_ list: [Member], as other: [Member]) -> [Member] {
        let present = Set(list)
        let ordered = other.filter(present.contains)
        let moved = Set(ordered)
        var next = ordered.makeIterator()
        return list.map { moved.contains($0) ? next.next() ?? $0 : $0 }
    }

    /// Moves the given members behind the members that they follow in another list; all other members stay in order.
    static func reposition<Member: Hashable>(_ moved: Set<Member>, in list: [Member], as other: [Member])
        -> [Member]
    {
        let present = Set(list)
        let additions = moved.intersection(other).intersection(present)
        if additions.isEmpty { return list }
        let kept = list.filter { !additions.contains($0) }
        return insert(Array(additions), into: kept, as: other)
    }

    /// Inserts members behind those that they follow in a context's order; members that the context appended are
    /// appended.
    private static func insert<Member: Hashable>(
        _ additions: [Member], into list: [Member], as mine: [Member]
    ) -> [Member] {
        let (added, kept) = (Set(additions), Set(list))
        let lastKept = mine.lastIndex(where: kept.contains)
        /// The additions by the member that they follow; nil for those at the front.
        var followers: [Member?: [Member]] = [:]
        var appended: [Member] = []
        var predecessor: Member?
        for (index, member) in mine.enumerated() {
            if kept.contains(member) {
                predecessor = member
            } else if added.contains(member) {
                if lastKept.map({ index > $0 }) ?? true {
                    appended.append(member)
                } else {
                    followers[predecessor, default: []].append(member)
                }
            }
        }
        return (followers[nil] ?? []) + list.flatMap { [$0] + (followers[$0] ?? []) } + appended
    }
}
