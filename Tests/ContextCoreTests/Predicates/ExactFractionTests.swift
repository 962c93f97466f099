import Foundation
import RandomSeeds
import Testing

@testable import ContextCore

struct ExactFractionTests {
    private func fraction(_ text: String) throws -> ExactFraction {
        let number = try #require(Decimal(string: text))
        return try #require(ExactFraction(number))
    }

    private func isEqual(_ first: ExactFraction?, _ second: ExactFraction) -> Bool {
        first.flatMap { ExactFraction.sum($0, second.negated) }?.isZero ?? false
    }

    @Test func `Results are exact, or null if they have too many digits`() throws {
        let (seven, three) = (try fraction("7"), try fraction("-3"))
        let quotient = try #require(ExactFraction.quotient(seven, three))
        #expect(quotient.decimal(scale: 10) == nil)
        #expect(ExactFraction.product(quotient, three)?.decimal(scale: 0) == 7)
        #expect(quotient.rounded(.down)?.decimal(scale: 0) == -3)
        #expect(quotient.rounded(.up)?.decimal(scale: 0) == -2)
        #expect(try fraction("2.5").rounded(.toNearestOrAwayFromZero)?.decimal(scale: 0) == 3)
        #expect(try fraction("-2.5").rounded(.toNearestOrAwayFromZero)?.decimal(scale: 0) == -3)
        #expect(try fraction("0.001").decimal(scale: 2) == nil)
        #expect(try fraction("1e30").decimal(scale: 2) == Decimal(string: "1e30"))
        #expect(try ExactFraction.product(fraction("1e38"), fraction("3.7"))?.decimal(scale: 2) == nil)
        #expect(try ExactFraction.quotient(seven, fraction("0")) == nil)
        let largest = try fraction("340282366920938463463374607431768211455")
        #expect(ExactFraction.product(largest, seven) == nil)
        #expect(ExactFraction.sum(largest, seven) == nil)
    }

    @Test func `A remainder is exact and has the sign of the dividend`() throws {
        let cases = [
            ("7", "3", "1"), ("-7", "3", "-1"), ("7", "-3", "1"), ("-7", "-3", "-1"), ("5.5", "0.1", "0"),
            ("-8395.78", "0.25", "-0.03"), ("0.3", "1e3", "0.3"), ("-2.5", "1", "-0.5"), ("0", "3", "0"),
            ("-9223372036854775808", "-1", "0"), ("1e30", "0.7", "0.3"),
        ]
        for (left, right, wanted) in cases {
            let remainder = try ExactFraction.remainder(fraction(left), fraction(right))
            #expect(isEqual(remainder, try fraction(wanted)), "\(left) mod \(right)")
        }
        #expect(try ExactFraction.remainder(fraction("1"), fraction("0")) == nil)
        #expect(try fraction("2.7").rounded(.towardZero)?.decimal(scale: 0) == 2)
        #expect(try fraction("-2.7").rounded(.towardZero)?.decimal(scale: 0) == -2)
        #expect(try fraction("-2.1").rounded(.awayFromZero)?.decimal(scale: 0) == -3)
    }

    @Test func `Operations are inverted by their opposites`() throws {
        var random = SeededRandom(seed: 20_261_126)
        for _ in 0..<2_000 {
            func number() throws -> ExactFraction {
                let digits = Int.random(in: -1_000_000...1_000_000, using: &random)
                return try fraction("\(digits)e\(Int.random(in: -6...6, using: &random))")
            }
            let (a, b, c) = (try number(), try number(), try number())
            let sum = try #require(ExactFraction.sum(a, b))
            #expect(isEqual(ExactFraction.sum(sum, b.negated), a))
            #expect(isEqual(ExactFraction.sum(b, a), sum))
            if b.isZero || c.isZero { continue }
            let quotient = try #require(ExactFraction.quotient(a, b))
            #expect(isEqual(ExactFraction.product(quotient, b), a))
            // (a + b) / c = a / c + b / c
            let (first, second) = (
                try #require(ExactFraction.quotient(a, c)), try #require(ExactFraction.quotient(b, c))
            )
            let apart = try #require(ExactFraction.sum(first, second))
            #expect(isEqual(ExactFraction.quotient(sum, c), apart))
        }
    }
}
