package import ContextCore

extension RelatedRows {
    /// Creates a result from links that a database found in any order, and rows; links of other owners are dropped.
    package init(found links: [Link], of owners: [Int64], rows: RowBatch?) {
        self.init(links: Self.order(of: links, by: owners).map { $0.map { links[$0] } } ?? links, rows: rows)
    }

    /// Creates a result from the rows of a one-to-many relationship, found in any order; rows of other owners are dropped.
    ///
    /// - Parameter slot: The slot of the reference to the owner.
    /// - Parameter positions: The position of each row in an ordered relationship.
    package init(
        found rows: consuming RowBatchBuilder, through slot: Int, positions: [Int64]?, of owners: [Int64]
    ) throws(StoreError) {
        self = try rows.finish(linkedThrough: slot, positions: positions) { Self.order(of: $0, by: owners) }
    }

    /// Returns the indices of links in the order of the result, or nil if they are in that order already.
    private static func order(of links: [Link], by owners: [Int64]) -> [Int]? {
        // An index scan finds them in order, and they were mostly inserted in it.
        isSorted(links, byOwners: owners) ? nil : grouped(links, by: owners)
    }

    /// Whether links are sorted by the order of their owners and by position, and all belong to these owners.
    private static func isSorted(_ links: [Link], byOwners owners: [Int64]) -> Bool {
        // An owner that was requested twice has one group of links.
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

    /// Whether a link precedes another link of the same owner.
    @inline(__always)
    private static func precedes(_ left: Link, _ right: Link) -> Bool {
        left.position == right.position ? left.target < right.target : left.position < right.position
    }

    /// Returns the indices of links grouped by owner, with a counting sort.
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

    /// Returns the index of each link's owner, negative for owners that were not requested.
    private static func groups(of links: [Link], _ owners: [Int64]) -> [Int] {
        let places = Dictionary(zip(owners, owners.indices)) { first, _ in first }
        var (last, place) = (Int64.min, -1)
        return links.map { link in
            // Adjacent links mostly have the same owner.
            if link.owner != last || place < 0 { (last, place) = (link.owner, places[link.owner] ?? -1) }
            return place
        }
    }
}
