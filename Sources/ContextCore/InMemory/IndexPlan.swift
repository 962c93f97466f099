/// A plan that finds the rows that match criteria with an index.
struct IndexPlan {
    /// The position of the index among those of its tree.
    let index: Int
    /// The values that the criteria allow for each leading column.
    private var values: [[StoredValue]] = []
    /// The lower and upper bounds that the criteria set for the column after the leading ones; nil if unbounded.
    private var lower: StoredValue?
    private var upper: StoredValue?

    init(_ index: Int, _ shape: IndexShape, _ conditions: [RowCriteria.Condition]) {
        self.index = index
        for column in shape.columns {
            guard let found = Self.values(of: column, conditions) else {
                setRange(of: column, conditions)
                return
            }
            values.append(found)
        }
    }

    /// The number of ranges of the index to scan.
    var prefixCount: Int {
        values.reduce(1) { product, values in
            let (next, overflow) = product.multipliedReportingOverflow(by: values.count)
            return overflow ? .max : next
        }
    }

    private var hasRange: Bool { lower != nil || upper != nil }

    /// Whether the plan is better than another: it fixes the values of more columns, or of equally many and also has a range.
    func isBetter(than other: IndexPlan?) -> Bool {
        if values.isEmpty && !hasRange { return false }
        guard let other else { return true }
        if values.count != other.values.count { return values.count > other.values.count }
        return hasRange && !other.hasRange
    }

    private static func values(of column: Int, _ conditions: [RowCriteria.Condition]) -> [StoredValue]? {
        var found: Set<StoredValue>?
        for case .values(column, let values) in conditions { found = found?.intersection(values) ?? values }
        return found.map(Array.init)
    }

    private mutating func setRange(of column: Int, _ conditions: [RowCriteria.Condition]) {
        for case .range(column, let lower, let upper) in conditions {
            self.lower = self.lower ?? lower
            self.upper = self.upper ?? upper
        }
    }

    /// Returns the disjoint ranges of the index that contain the rows.
    func ranges() -> [(from: IndexKey, below: IndexKey)] {
        var prefixes = [OrderedBytesWriter()]
        for values in values {
            prefixes = prefixes.flatMap { prefix in
                values.map { value in
                    var longer = prefix
                    longer.append(value)
                    return longer
                }
            }
        }
        return prefixes.map(range)
    }

    private func range(_ prefix: OrderedBytesWriter) -> (IndexKey, IndexKey) {
        guard hasRange else { return (.lowerBound(of: prefix), .upperBound(of: prefix)) }
        var (first, last) = (prefix, prefix)
        if let lower { first.append(lower) } else { first.appendLowerBound() }
        if let upper { last.append(upper) }
        return (.lowerBound(of: first), .upperBound(of: last))
    }
}
