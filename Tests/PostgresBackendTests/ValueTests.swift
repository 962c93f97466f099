#if Postgres
import RandomSeeds
import ContextCore
import Foundation
import Testing

@testable import PostgresBackend

struct ValueTests {
    @Test(
        arguments: [
            "0", "1", "-1", "9999", "10000", "10001", "0.1", "-0.0001", "0.00001",
            "123456789012345678901234567890.12345678",
            "-99999999999999999999999999999999999999", "1e-30", "1000000", "0.10", "12.3400",
        ])
    func `A decimal number is stored and read back`(_ text: String) throws {
        let number = try #require(Decimal(string: text))
        var bytes: [UInt8] = []
        PostgresNumeric.write(number, to: &bytes)
        #expect(bytes.withUnsafeBytes { PostgresNumeric.read($0) } == number)
    }

    @Test func `Random decimal numbers are stored and read back`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededRandom(seed: seed)
        for _ in 0..<2000 {
            let digits = (0..<Int.random(in: 1...38, using: &random)).map { _ in
                String(Int.random(in: 0...9, using: &random))
            }.joined()
            let exponent = Int.random(in: -40...10, using: &random)
            let number = try #require(
                Decimal(string: "\(Bool.random(using: &random) ? "-" : "")\(digits)e\(exponent)"))
            var bytes: [UInt8] = []
            PostgresNumeric.write(number, to: &bytes)
            #expect(bytes.withUnsafeBytes { PostgresNumeric.read($0) } == number, "\(number), seed \(seed)")
        }
    }

    @Test func `A distant timestamp is stored without a trap`() {
        for moment in [Int64.min, .min + 1, -1, 0, 1, .max] {
            _ = PostgresTimestamp.decoded(PostgresTimestamp.encoded(moment))
        }
        #expect(PostgresTimestamp.decoded(PostgresTimestamp.encoded(-1)) == -1)
    }
}
#endif
