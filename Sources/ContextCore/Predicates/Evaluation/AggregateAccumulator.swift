import Foundation

/// Computes one aggregate from values that are added one at a time.
///
/// Nulls are ignored.
///
/// A sum of integers or decimals is exact, and null if it overflows the type. Doubles are added in order; the sum of infinities
/// of both signs is null. An average is always a double.
package struct AggregateAccumulator {
    private let function: AggregateFunction
    private let type: ResolvedType
    private var count: Int64 = 0
    private var integers = Int128(0)
    private var doubles = 0.0
    /// The sum of the decimals; nil once it has overflowed.
    private var decimals: WideDecimal? = .zero
    private var extreme = StoredValue.null

    /// Makes an accumulator without values.
    ///
    /// - Parameter type: The type of the result.
    package init(_ function: AggregateFunction, type: ResolvedType) {
        self.function = function
        self.type = type
    }

    /// Adds a value.
    package mutating func add(_ value: StoredValue) {
        if value.isNull { return }
        count += 1
        switch function {
        case .count: break
        case .sum, .average: addNumber(value)
        case .minimum: if extreme.isNull || ValueOrder.compare(value, extreme) < 0 { extreme = value }
        case .maximum: if extreme.isNull || ValueOrder.compare(value, extreme) > 0 { extreme = value }
        }
    }

    private mutating func addNumber(_ value: StoredValue) {
        switch value {
        case .int(let value): integers += Int128(value)
        case .double(let value): doubles += value
        case .decimal(let value):
            decimals = decimals.flatMap { sum in WideDecimal(value).flatMap { .sum(sum, $0) } }
        case .null, .bool, .string, .data, .timestamp, .uuid, .composite: break
        }
    }

    /// The aggregate of the values that were added.
    package var result: StoredValue {
        switch function {
        case .count: .int(count)
        case .sum: sum
        case .average: count == 0 ? .null : average
        case .minimum, .maximum: extreme
        }
    }

    private var sum: StoredValue {
        switch type {
        case .double: number(doubles)
        case .decimal: decimals?.decimal.map { .decimal($0) } ?? .null
        default: Int64(exactly: integers).map(StoredValue.int) ?? .null
        }
    }

    private var average: StoredValue {
        guard let decimals else { return .null }
        // The values are of one type, so two of the three sums are zero.
        let total = doubles + Double(integers) + decimals.double
        return number(total / Double(count))
    }

    private func number(_ value: Double) -> StoredValue {
        value.isNaN ? .null : .double(value == 0 ? 0 : value)
    }
}
