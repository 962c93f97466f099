package import ContextCore

extension RelatedRows {
    /// Answers what a database found, in whatever order it came.
    package init(found links: consuming [Link], of owners: [Int64], rows: RowBatch?) {
        // Whoever finds them by an index finds them in order.
        if !links.ascends(by: Self.precedes) { links.sort(by: Self.precedes) }
        self.init(links: owners.ascends(by: <) ? links : Self.grouped(links, as: owners), rows: rows)
    }

    @inline(__always)
    private static func precedes(_ left: Link, _ right: Link) -> Bool {
        if left.owner != right.owner { return left.owner < right.owner }
        if left.position != right.position { return left.position < right.position }
        return left.target < right.target
    }

    /// Links that stand in the order of their owners' keys, in that in which these were asked for.
    private static func grouped(_ links: [Link], as owners: [Int64]) -> [Link] {
        var groups: [Int64: Range<Int>] = [:]
        var start = 0
        while start < links.count {
            let owner = links[start].owner
            let end = links[start...].firstIndex { $0.owner != owner } ?? links.count
            groups[owner] = start..<end
            start = end
        }
        var grouped: [Link] = []
        grouped.reserveCapacity(links.count)
        for owner in owners {
            if let group = groups.removeValue(forKey: owner) { grouped += links[group] }
        }
        return grouped
    }
}

extension Array {
    /// Whether no element stands behind one that it precedes, nor twice.
    fileprivate func ascends(by precedes: (Element, Element) -> Bool) -> Bool {
        zip(self, dropFirst()).allSatisfy(precedes)
    }
}
