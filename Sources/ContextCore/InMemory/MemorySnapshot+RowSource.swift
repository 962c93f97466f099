extension MemorySnapshot: RowSource {
    func visit(_ criteria: RowCriteria, _ body: (StoredRow) throws -> Bool) throws {
        guard let first = criteria.entityIndices.first else { return }
        let root = model.layouts[model.layouts[first].rootIndex]
        let table = tables[root.index]
        let entities = Set(criteria.entityIndices)
        guard let keys = table.keys(of: criteria) else {
            let isWholeTree = entities.count == root.familyIndices.count
            try table.rows.forEach { _, row in
                guard isWholeTree || entities.contains(row.entityIndex) else { return true }
                return try body(row)
            }
            return
        }
        for key in keys {
            guard let row = table.rows[key], entities.contains(row.entityIndex) else { continue }
            guard try body(row) else { return }
        }
    }
}

extension RowTable {
    /// The maximum number of index ranges to scan; if more are needed, all rows are scanned.
    private static var maximumRangeCount: Int { 10_000 }

    /// Returns the sorted keys of the rows that may match criteria; nil if no index can be used.
    func keys(of criteria: RowCriteria) -> [Int64]? {
        var best: IndexPlan?
        for condition in criteria.conditions {
            if case .keys(let keys) = condition { return keys.sorted() }
        }
        for (index, shape) in shapes.enumerated()
        where criteria.entityIndices.allSatisfy({ shape.covers[$0] }) {
            let plan = IndexPlan(index, shape, criteria.conditions)
            if plan.isBetter(than: best), plan.prefixCount <= Self.maximumRangeCount { best = plan }
        }
        return best.map { plan in
            var keys: [Int64] = []
            for (start, end) in plan.ranges() {
                forEachKey(in: plan.index, from: start, below: end) { keys.append($0) }
            }
            keys.sort()
            return keys
        }
    }
}
