package import ContextCore

extension RelatedRows {
    /// Answers what a database found, in whatever order it came; links of other owners are left out.
    package init(found links: consuming [Link], of owners: [Int64], rows: RowBatch?) {
        // Whoever finds them by an index finds them in order, and mostly they were made in it.
        let isInOrder = Self.stand(links, inOrderOf: owners)
        self.init(links: isInOrder ? links : Self.grouped(links, by: owners), rows: rows)
    }

    /// Whether links stand in the order of their owners, and those of each in their own, and all are of these owners.
    private static func stand(_ links: [Link], inOrderOf owners: [Int64]) -> Bool {
        // An owner that was asked for twice has its place once.
        if !zip(owners, owners.dropFirst()).allSatisfy(<) { return false }
        var place = owners.startIndex
        var last: Link?
        for link in links {
            if let last, last.owner == link.owner {
                if !precedes(last, link) { return false }
            } else {
                while place < owners.endIndex, owners[place] != link.owner { place += 1 }
                if place == owners.endIndex { return false }
            }
            last = link
        }
        return true
    }

    /// Which of two links of one owner stands first.
    @inline(__always)
    private static func precedes(_ left: Link, _ right: Link) -> Bool {
        left.position == right.position ? left.target < right.target : left.position < right.position
    }

    /// Puts the links of each owner together: counts them, then places them.
    private static func grouped(_ links: [Link], by owners: [Int64]) -> [Link] {
        guard let first = links.first else { return [] }
        let groups = groups(of: links, owners)
        var ends = Array(repeating: 0, count: owners.count + 1)
        for group in groups where group >= 0 { ends[group + 1] += 1 }
        for group in ends.indices.dropFirst() { ends[group] += ends[group - 1] }
        let starts = ends
        var grouped = Array(repeating: first, count: ends.last ?? 0)
        for (link, group) in zip(links, groups) where group >= 0 {
            grouped[ends[group]] = link
            ends[group] += 1
        }
        for (start, end) in zip(starts, ends) where start < end {
            let isInOrder = (start..<(end - 1)).allSatisfy { precedes(grouped[$0], grouped[$0 + 1]) }
            if !isInOrder { grouped[start..<end].sort(by: precedes) }
        }
        return grouped
    }

    /// The place of each link's owner; negative for one that was not asked for.
    private static func groups(of links: [Link], _ owners: [Int64]) -> [Int] {
        let places = Dictionary(zip(owners, owners.indices)) { first, _ in first }
        var (last, place) = (Int64.min, -1)
        return links.map { link in
            // Neighbours are mostly one owner's.
            if link.owner != last || place < 0 { (last, place) = (link.owner, places[link.owner] ?? -1) }
            return place
        }
    }
}
