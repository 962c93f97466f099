package import ContextCore

extension RelatedRows {
    /// Answers the links that a database found, in whatever order they came, and rows as they were found; links of other owners are left out.
    package init(found links: [Link], of owners: [Int64], rows: RowBatch?) {
        self.init(links: Self.order(of: links, by: owners).map { $0.map { links[$0] } } ?? links, rows: rows)
    }

    /// Answers the rows of a one-to-many relationship that a database found, in whatever order they came; those of other owners are left out.
    ///
    /// - Parameter slot: The slot of a row that refers to its owner.
    /// - Parameter positions: Where each row stands, in an ordered relationship.
    package init(
        found rows: consuming RowBatchBuilder, through slot: Int, positions: [Int64]?, of owners: [Int64]
    ) throws(StoreError) {
        self = try rows.finish(linkedThrough: slot, positions: positions) { Self.order(of: $0, by: owners) }
    }

    /// The places of links in the order that they are answered in; nil where that is as they stand.
    private static func order(of links: [Link], by owners: [Int64]) -> [Int]? {
        // Whoever finds them by an index finds them in order, and mostly they were made in it.
        stand(links, inOrderOf: owners) ? nil : grouped(links, by: owners)
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

    /// The places of links, those of each owner together: counts them, then places them.
    private static func grouped(_ links: [Link], by owners: [Int64]) -> [Int] {
        let groups = groups(of: links, owners)
        var ends = Array(repeating: 0, count: owners.count + 1)
        for group in groups where group >= 0 { ends[group + 1] += 1 }
        for group in ends.indices.dropFirst() { ends[group] += ends[group - 1] }
        let starts = ends
        var grouped = Array(repeating: 0, count: ends.last ?? 0)
        for (place, group) in groups.enumerated() where group >= 0 {
            grouped[ends[group]] = place
            ends[group] += 1
        }
        func comesFirst(_ left: Int, _ right: Int) -> Bool { precedes(links[left], links[right]) }
        for (start, end) in zip(starts, ends) where start < end {
            let isInOrder = (start..<(end - 1)).allSatisfy { comesFirst(grouped[$0], grouped[$0 + 1]) }
            if !isInOrder { grouped[start..<end].sort(by: comesFirst) }
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
