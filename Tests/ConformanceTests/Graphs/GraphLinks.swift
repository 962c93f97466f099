/// The links of many-to-many relationships as a set of pairs.
struct GraphLinks: Equatable {
    /// A link, with the name of the relationship that the model lists first.
    struct Link: Hashable, CustomStringConvertible {
        let name: String
        let owner: Int
        let member: Int

        var description: String { "\(owner).\(name) \(member)" }
        /// The name of the inverse relationship.
        var inverseName: String { name == "items" ? "tags" : "rankedIn" }
    }

    /// The links that a context has added and removed.
    struct Changes {
        var added: Set<Link> = []
        var removed: Set<Link> = []
        /// The links whose removal was undone, which are added if another context has removed them too.
        var restored: Set<Link> = []
        /// The links that an undo has removed although the parent or the store has them: a save of one of their ends may have added them,
        /// and then the next save removes them again.
        var withdrawn: Set<Link> = []

        /// Records the links that a step has changed at either end; the other end may show changes of other contexts.
        ///
        /// - Parameter below: The contents of the parent or the store if the context wasn't read before the step: what it now shows as
        ///   they do isn't its change.
        mutating func record(
            from old: GraphLinks, to new: GraphLinks, isUndo: Bool = false, unread below: GraphLinks? = nil
        ) {
            let (came, went) = (new.shown.subtracting(old.shown), old.shown.subtracting(new.shown))
            for link in Set(came.map(\.link)) {
                if removed.remove(link) == nil {
                    if below?.links.contains(link) != true { added.insert(link) }
                } else if isUndo {
                    restored.insert(link)
                }
            }
            for link in Set(went.map(\.link)) where added.remove(link) == nil {
                if below?.links.contains(link) != false { removed.insert(link) }
            }
        }

        /// Removes the additions and removals that another context has saved too, after this context has merged them.
        ///
        /// - Parameter isMeant: Whether the context has merged a link.
        mutating func follow(_ below: GraphWorld, where isMeant: (Link) -> Bool = { _ in true }) {
            let links = GraphLinks(below).links
            added = added.filter { !isMeant($0) || !links.contains($0) }
            removed = removed.filter { !isMeant($0) || links.contains($0) }
        }

        /// Removes the changes that the context no longer shows, since they were dropped.
        mutating func drop(besides shown: GraphLinks) {
            added.formIntersection(shown.links)
            removed.subtract(shown.links)
        }
    }

    /// A link as shown by one of its ends.
    private struct End: Hashable {
        let link: Link
        let isListing: Bool
    }

    private var shown: Set<End> = []
    var links: Set<Link> { Set(shown.map(\.link)) }

    /// Returns the changes that are still unsaved after a save of some of them.
    ///
    /// - Parameters:
    ///   - shown: The links that the context shows.
    ///   - before: The links before the save.
    ///   - isPending: Whether the context still has a change as unsaved: one that another context has saved too, which matters if either
    ///     takes it back.
    ///   - isNew: Whether the save has inserted an object. The links of an object that a policy reinserts are saved with their other ends.
    func unsaved(
        _ changes: Changes, shown: GraphLinks, after before: GraphLinks, where isNew: (_ number: Int) -> Bool,
        isPending: (Link) -> Bool
    ) -> Changes {
        let renewed = shown.links.filter { isNew($0.owner) || isNew($0.member) }
        return Changes(
            added: changes.added.union(renewed).filter {
                !links.contains($0) || before.links.contains($0) && isPending($0)
            },
            removed: changes.removed.filter {
                links.contains($0) || !before.links.contains($0) && isPending($0)
            },
            restored: changes.restored, withdrawn: changes.withdrawn)
    }

    /// Collects the links that either end shows; the ends differ in a context that has not merged all changes.
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

    /// Describes a link that a save has removed or added although its context has not; nil if there is none.
    ///
    /// - Parameters:
    ///   - before: The contents of the store, or the parent, before the save.
    ///   - world: The contents after the save.
    ///   - addsAll: Whether the save must have added every link that the context has added.
    func violation(after before: GraphWorld, _ changes: Changes, in world: GraphWorld, addsAll: Bool)
        -> String?
    {
        func isThere(_ link: Link) -> Bool {
            world.nodes[link.owner] != nil && world.nodes[link.member] != nil
        }
        // An object that a policy reinserts has its former links.
        func wasThere(_ link: Link) -> Bool {
            before.nodes[link.owner] != nil && before.nodes[link.member] != nil
        }
        let old = GraphLinks(before).links
        let lost = old.subtracting(links).subtracting(changes.removed).subtracting(changes.withdrawn).filter(
            isThere)
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
