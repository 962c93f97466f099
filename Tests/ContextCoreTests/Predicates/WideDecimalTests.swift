import Foundation
import Testing

@testable import ContextCore

/// Decimal arithmetic is exact, or fails.
struct WideDecimalTests {
    private func result(_ left: String, _ sign: ArithmeticOperator, _ right: String) throws -> StoredValue {
        ValueArithmetic.apply(
            sign, .decimal(try #require(Decimal(string: left))),
            .decimal(try #require(Decimal(string: right))))
    }

    private func expect(
        _ left: String, _ sign: ArithmeticOperator, _ right: String, _ expected: String?,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let number = try expected.map { try #require(Decimal(string: $0)) }
        #expect(
            try result(left, sign, right) == number.map { .decimal($0) } ?? .null, "\(left) \(sign) \(right)",
            sourceLocation: location)
    }

    @Test func `Results with few enough digits are exact`() throws {
        try expect("19.99", .multiply, "3", "59.97")
        try expect("-0.1", .add, "0.3", "0.2")
        try expect("1e30", .subtract, "1e-7", "999999999999999999999999999999.9999999")
        try expect("1e100", .multiply, "1e-100", "1")
        try expect("2.5", .subtract, "2.5", "0")
        try expect("1e126", .multiply, "10", "1e127")
        let greatest = "340282366920938463463374607431768211455"
        try expect(greatest, .subtract, "1", "340282366920938463463374607431768211454")
        try expect(
            "170141183460469231731687303715884105728", .add, "-\(greatest)",
            "-170141183460469231731687303715884105727")
    }

    @Test func `Results that would need rounding are null`() throws {
        try expect("99999999999999999999999999999999999999", .add, "0.5", nil)
        try expect("1e100", .add, "1", nil)
        try expect("340282366920938463463374607431768211455", .add, "1", nil)
        try expect("99999999999999999999999999999999999999", .multiply, "0.5", nil)
    }

    @Test func `Overflow and underflow are null and don't trap`() throws {
        try expect("1e100", .multiply, "1e100", nil)
        try expect("1e127", .multiply, "10", nil)
        try expect("7e-100", .multiply, "7e-100", nil)
        try expect(
            "99999999999999999999999999999999999999", .multiply, "99999999999999999999999999999999999999", nil
        )
    }

    @Test func `A sum and a mean are exact for large intermediate results`() throws {
        let values = [
            "99999999999999999999999999999999999999", "99999999999999999999999999999999999999", "0.25",
        ]
        let numbers = try values.map { StoredValue.decimal(try #require(Decimal(string: $0))) }
        var sum = AggregateAccumulator(.sum, type: .decimal)
        for number in numbers + numbers { sum.add(number) }
        #expect(sum.result == .null)
        for number in numbers + numbers {
            guard case .decimal(let value) = number else { continue }
            sum.add(.decimal(-value))
        }
        sum.add(.decimal(Decimal(string: "0.5") ?? 0))
        #expect(sum.result == .decimal(Decimal(string: "0.5") ?? 0))
        var mean = AggregateAccumulator(.average, type: .double)
        for number in numbers.prefix(2) { mean.add(number) }
        #expect(mean.result == .double(1e38))
    }
}
