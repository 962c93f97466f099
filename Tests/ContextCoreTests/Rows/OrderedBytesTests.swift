import Foundation
import RandomSeeds
import Testing

@testable import ContextCore

struct OrderedBytesTests {
    /// Values of each type in ascending order.
    private static let ladders: [[StoredValue]] = [
        [.bool(false), .bool(true)],
        [.int(.min), .int(-256), .int(-1), .int(0), .int(1), .int(255), .int(256), .int(.max)],
        [
            .double(-.infinity), .double(-1e300), .double(-1), .double(-Double.leastNonzeroMagnitude),
            .double(0), .double(.leastNonzeroMagnitude),
            .double(0.1), .double(1), .double(.infinity),
        ],
        [
            .string(""), .string("\u{0}"), .string("\u{0}a"), .string("A"), .string("Z"), .string("a"),
            .string("a\u{0}"), .string("a\u{0}b"), .string("ab"), .string("abcdefghijklmno"),
            .string("abcdefghijklmnop"), .string("abcdefghijklmnopq"), .string("e\u{301}"), .string("z"),
            .string("\u{e9}"), .string("\u{FFFF}"), .string("\u{10000}"),
        ],
        [
            .data(Data()), .data(Data([0])), .data(Data([0, 0])), .data(Data([0, 255])), .data(Data([1])),
            .data(Data([255])),
        ],
        [.timestamp(microseconds: .min), .timestamp(microseconds: -1), .timestamp(microseconds: 0)],
        [
            "-99999999999999999999999999999999999999", "-100", "-99.5", "-1.1", "-1", "-0.001", "0", "0.0001",
            "0.001", "0.0011", "0.5", "1", "1.01", "1.1", "9", "10", "11",
            "99999999999999999999999999999999999999",
            "340282366920938463463374607431768211455", "1e60",
        ].compactMap { Decimal(string: $0).map(StoredValue.decimal) },
    ]

    @Test(arguments: ladders) func `Bytes have the order of their values`(ladder: [StoredValue]) {
        for (low, small) in ladder.enumerated() {
            for (high, great) in ladder.enumerated() {
                let (a, b) = (bytes(small), bytes(great))
                #expect((a < b) == (low < high), "\(small) and \(great)")
                #expect((a == b) == (low == high), "\(small) and \(great)")
                let down = SortingOrder(isDescending: true, nullsFirst: false)
                #expect((bytes(small, down) < bytes(great, down)) == (high < low), "\(small) and \(great)")
            }
        }
    }

    @Test(arguments: ladders) func `Null is first or last, as configured`(ladder: [StoredValue]) {
        for value in ladder {
            for isDescending in [false, true] {
                let first = SortingOrder(isDescending: isDescending, nullsFirst: true)
                let last = SortingOrder(isDescending: isDescending, nullsFirst: false)
                #expect(bytes(.null, first) < bytes(value, first))
                #expect(bytes(value, last) < bytes(.null, last))
            }
        }
    }

    @Test func `The first of several values takes precedence`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed: seed)
        func text() -> String {
            String(
                String.UnicodeScalarView(
                    (0..<Int.random(in: 0..<4, using: &random)).compactMap { _ in
                        ["\u{0}", "a", "b", "\u{ff}"].randomElement(using: &random)
                    }))
        }
        for _ in 0..<5_000 {
            let (a, b) = ((text(), text()), (text(), text()))
            let isLess = a.0 == b.0 ? a.1.precedesByBytes(b.1) : a.0.precedesByBytes(b.0)
            #expect((pair(a) < pair(b)) == isLess, "seed \(seed): \(a) and \(b)")
        }
    }

    @Test func `Equal decimals have equal bytes, whatever their representation`() throws {
        let divided = Decimal(11) / Decimal(10)
        let written = try #require(Decimal(string: "1.10"))
        #expect(bytes(.decimal(divided)) == bytes(.decimal(written)))
        #expect(
            bytes(.decimal(Decimal(100)))
                == bytes(.decimal(Decimal(sign: .plus, exponent: 2, significand: 1))))
    }

    private func bytes(_ value: StoredValue, _ order: SortingOrder = .ascending) -> OrderedBytes {
        var writer = OrderedBytesWriter()
        writer.append(value, order)
        return writer.bytes
    }

    private func pair(_ texts: (String, String)) -> OrderedBytes {
        var writer = OrderedBytesWriter()
        writer.append(.string(texts.0))
        writer.append(.string(texts.1))
        return writer.bytes
    }
}
