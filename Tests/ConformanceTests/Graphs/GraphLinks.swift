/// The links of many-to-many relationships, as a set of pairs.
struct GraphLinks: Equatable {
    /// One link, named from the side that the model lists first.
    struct Link: Hashable, CustomStringConvertible {
        let name: String
        let owner: Int
        let member: Int

        var description: String { "\(owner).\(name) \(member)" }
        /// The name of the relationship at the other end.
        var inverseName: String { name == "items" ? "tags" : "rankedIn" }
    }

    /// Links that a context has added and removed.
    struct Changes {
        var added: Set<Link> = []
        var removed: Set<Link> = []
        /// Links whose removal was undone: they are added where others have removed them too.
        var restored: Set<Link> = []

        /// Adds what one step changed, at either end: the other end may show what others have removed or added.
        mutating func record(from old: GraphLinks, to new: GraphLinks, isUndo: Bool = false) {
            let (came, went) = (new.shown.subtracting(old.shown), old.shown.subtracting(new.shown))
            for link in Set(came.map(\.link)) {
                if removed.remove(link) == nil {
                    added.insert(link)
                } else if isUndo {
                    restored.insert(link)
                }
            }
            for link in Set(went.map(\.link)) where added.remove(link) == nil { removed.insert(link) }
        }

        /// Forgets additions and removals that others have saved too, once the context has followed them: they are none any more.
        ///
        /// - Parameter isMeant: Selects the links that it has followed.
        mutating func follow(_ below: GraphWorld, where isMeant: (Link) -> Bool = { _ in true }) {
            let links = GraphLinks(below).links
            added = added.filter { !isMeant($0) || !links.contains($0) }
            removed = removed.filter { !isMeant($0) || links.contains($0) }
        }

        /// Forgets what the context no longer shows, as its changes were dropped.
        mutating func drop(besides shown: GraphLinks) {
            added.formIntersection(shown.links)
            removed.subtract(shown.links)
        }
    }

    /// A link as one of its ends shows it.
    private struct End: Hashable {
        let link: Link
        let isListing: Bool
    }

    private var shown: Set<End> = []
    var links: Set<Link> { Set(shown.map(\.link)) }

    /// What is still to be saved of changes, once some of them are.
    ///
    /// - Parameters:
    ///   - shown: The links that the context shows.
    ///   - before: The links before the save.
    ///   - isPending: Whether the context says that a link is still to be saved: a removal that others have saved too, and that counts if
    ///     others add the link again.
    ///   - isNew: Whether the save has inserted an object. One that a policy inserts again has links that are saved with their other ends.
    func unsaved(
        _ changes: Changes, shown: GraphLinks, after before: GraphLinks, where isNew: (_ number: Int) -> Bool,
        isPending: (Link) -> Bool
    ) -> Changes {
        let renewed = shown.links.filter { isNew($0.owner) || isNew($0.member) }
        return Changes(
            added: changes.added.union(renewed).subtracting(links),
            removed: changes.removed.filter {
                links.contains($0) || !before.links.contains($0) && isPending($0)
            },
            restored: changes.restored)
    }

    /// The links that either end shows: they differ in a context that has not merged what others did.
    init(_ world: GraphWorld) {
        for (number, node) in world.nodes {
            for name in ["items", "ranking"] where node.kind == "Tag" {
                for member in world.links(number, name) {
                    shown.insert(End(link: Link(name: name, owner: number, member: member), isListing: true))
                }
            }
            for (name, inverse) in [("items", "tags"), ("ranking", "rankedIn")] where node.kind == "Item" {
                for owner in world.links(number, inverse) {
                    shown.insert(End(link: Link(name: name, owner: owner, member: number), isListing: false))
                }
            }
        }
    }

    /// Says which link a save dropped that its context did not remove, or brought that its context did not add; nil
    /// where none.
    ///
    /// - Parameters:
    ///   - before: What the store, or the parent, held before the save.
    ///   - world: What it holds after the save.
    ///   - addsAll: Whether every link that was added must be there.
    func violation(after before: GraphWorld, _ changes: Changes, in world: GraphWorld, addsAll: Bool)
        -> String?
    {
        func isThere(_ link: Link) -> Bool {
            world.nodes[link.owner] != nil && world.nodes[link.member] != nil
        }
        // An object that a policy inserts again comes with the links that it had.
        func wasThere(_ link: Link) -> Bool {
            before.nodes[link.owner] != nil && before.nodes[link.member] != nil
        }
        let old = GraphLinks(before).links
        let lost = old.subtracting(links).subtracting(changes.removed).filter(isThere)
        if let link = lost.first { return "The save dropped \(link), which the context did not remove" }
        let new = links.subtracting(old).subtracting(changes.added).subtracting(changes.restored).filter(
            wasThere)
        if let link = new.first { return "The save brought \(link), which the context did not add" }
        if addsAll, let link = changes.added.subtracting(links).filter(isThere).first {
            return "The save lost \(link), which the context added"
        }
        return nil
    }
}
