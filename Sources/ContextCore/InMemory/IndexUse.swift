/// How an index can help to find the rows that meet criteria.
struct IndexUse {
    /// The index's place among those of its tree.
    let index: Int
    /// The values that the first columns may have.
    private var values: [[StoredValue]] = []
    /// Between what the next column lies.
    private var lower: StoredValue?
    private var upper: StoredValue?

    init(_ index: Int, _ shape: IndexShape, _ conditions: [RowCriteria.Condition]) {
        self.index = index
        for column in shape.columns {
            guard let found = Self.values(of: column, conditions) else {
                noteRange(of: column, conditions)
                return
            }
            values.append(found)
        }
    }

    /// In how many places the index has to be looked at.
    var prefixCount: Int {
        values.reduce(1) { product, values in
            let (next, overflow) = product.multipliedReportingOverflow(by: values.count)
            return overflow ? .max : next
        }
    }

    private var hasRange: Bool { lower != nil || upper != nil }

    /// More columns with known values are better than fewer, and those better than a range.
    func isBetter(than other: IndexUse?) -> Bool {
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

    private mutating func noteRange(of column: Int, _ conditions: [RowCriteria.Condition]) {
        for case .range(column, let lower, let upper) in conditions {
            self.lower = self.lower ?? lower
            self.upper = self.upper ?? upper
        }
    }

    /// The stretches of the index that hold the rows; none overlaps another.
    func stretches() -> [(from: IndexKey, below: IndexKey)] {
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
        return prefixes.map(stretch)
    }

    private func stretch(_ prefix: OrderedBytesWriter) -> (IndexKey, IndexKey) {
        guard hasRange else { return (.first(prefix), .past(prefix)) }
        var (first, last) = (prefix, prefix)
        if let lower { first.append(lower) } else { first.appendBeforeValues() }
        if let upper { last.append(upper) }
        return (.first(first), .past(last))
    }
}
