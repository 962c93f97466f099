/// A predicate that reads packed rows in place where it compares columns of the row itself with constants.
///
/// It has the same semantics as the evaluator, and delegates everything else to the evaluator, which decodes values.
indirect enum PackedPredicate {
    /// A comparison of an integer, a date, a Boolean or a reference.
    case integer(column: Int, OrderOperator, Int64)
    /// A comparison of a floating-point number.
    case double(column: Int, OrderOperator, Double)
    /// A comparison of text by its bytes.
    case text(column: Int, OrderOperator, [UInt8])
    /// Whether the column is null.
    case isNull(column: Int)
    /// Whether the row's key is one of a sorted list.
    case key([Int64])
    case not(PackedPredicate)
    case and([PackedPredicate])
    case or([PackedPredicate])
    /// Any other predicate.
    case other(ResolvedPredicate)

    init(_ predicate: ResolvedPredicate) {
        switch predicate {
        case .compare(let left, let sign, let right):
            if let column = left.ownColumn, let value = right.constant {
                self = Self.comparison(column, sign, value) ?? .other(predicate)
            } else if let column = right.ownColumn, let value = left.constant {
                self = Self.comparison(column, sign.mirrored, value) ?? .other(predicate)
            } else {
                self = .other(predicate)
            }
        case .isNull(let expression):
            self = expression.ownColumn.map { .isNull(column: $0) } ?? .other(predicate)
        case .isMember(let expression, let values):
            let keys = values.compactMap { value in if case .int(let key) = value { key } else { nil } }
            self = expression.isOwnKey && keys.count == values.count ? .key(keys) : .other(predicate)
        case .not(let inner): self = .not(PackedPredicate(inner))
        case .and(let members): self = .and(members.map(PackedPredicate.init))
        case .or(let members): self = .or(members.map(PackedPredicate.init))
        default: self = .other(predicate)
        }
    }

    /// Returns a comparison in place; the checker has converted the constant to the column's type, so it determines the packed format.
    private static func comparison(
        _ column: Int, _ sign: OrderOperator, _ value: StoredValue
    ) -> PackedPredicate? {
        switch value {
        case .int(let value), .timestamp(let value): .integer(column: column, sign, value)
        case .bool(let value): .integer(column: column, sign, value ? 1 : 0)
        case .double(let value): .double(column: column, sign, value)
        case .string(let value): .text(column: column, sign, Array(value.utf8))
        case .null, .decimal, .data, .uuid, .composite: nil
        }
    }

    /// Returns the truth value of the predicate for a row; `other` evaluates what isn't read in place.
    func evaluate(
        _ row: StoredRow, _ layout: EntityLayout, _ other: (ResolvedPredicate) throws -> PredicateTruth
    ) rethrows -> PredicateTruth {
        switch self {
        case .integer(let column, let sign, let value):
            return Self.compare(row, layout, column, sign) {
                ValueOrder.order($0.load(as: Int64.self), value)
            }
        case .double(let column, let sign, let value):
            return Self.compare(row, layout, column, sign) {
                ValueOrder.order($0.load(as: Double.self), value)
            }
        case .text(let column, let sign, let value):
            return Self.compare(row, layout, column, sign) { field in
                value.withUnsafeBytes { ValueOrder.compare(row.batch.bytes(field), $0) }
            }
        case .isNull(let column):
            let isNull =
                row.batch.isNull(column, at: row.index) && !row.batch.isDeferred(column, at: row.index)
            return PredicateTruth(isNull)
        case .key(let keys): return PredicateTruth(keys.containsSorted(row.key))
        case .not(let inner): return try inner.evaluate(row, layout, other).opposite
        case .and(let members): return try Self.combine(members, row, layout, absorbing: .false, other)
        case .or(let members): return try Self.combine(members, row, layout, absorbing: .true, other)
        case .other(let predicate): return try other(predicate)
        }
    }

    @inline(__always)
    private static func compare(
        _ row: StoredRow, _ layout: EntityLayout, _ column: Int, _ sign: OrderOperator,
        _ order: (UnsafeRawPointer) -> Int
    ) -> PredicateTruth {
        let start = row.batch.row(row.index)
        if RowBatch.isNull(start, column) {
            switch sign {
            case .equal: return .false
            case .notEqual: return .true
            case .less, .lessOrEqual, .greater, .greaterOrEqual: return .unknown
            }
        }
        return PredicateTruth(sign.holds(order(start + layout.fields.offsets[column])))
    }

    private static func combine(
        _ members: [PackedPredicate], _ row: StoredRow, _ layout: EntityLayout, absorbing: PredicateTruth,
        _ other: (ResolvedPredicate) throws -> PredicateTruth
    ) rethrows -> PredicateTruth {
        var result = absorbing.opposite
        for member in members {
            let truth = try member.evaluate(row, layout, other)
            if truth == absorbing { return absorbing }
            if truth == .unknown { result = .unknown }
        }
        return result
    }
}

extension [Int64] {
    /// Whether a sorted array contains a number.
    fileprivate func containsSorted(_ number: Int64) -> Bool {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low] == number
    }
}
