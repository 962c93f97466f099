import Foundation
import RandomSeeds
import Testing

@testable import StoreAdmin

/// Decompression of the models that stores cache.
struct InflateTests {
    private static let text = Array(
        String(repeating: "Players and games, games and players. ", count: 20).utf8)
    /// Compressed by zlib with its fixed codes, and with codes made for the data.
    private static let fixed = "C8hJrEwtKlZIzEtRSE/MTS3WgVBggQKIpJ5CwKiqUVXDShUA"
    private static let dynamic = """
        C8hJrEwtKlZIzEtRSE/MTS3WgVBggQKIpJ5CwKiqUVXDShUDIxMzCysbOwcnFzcPLx+/gKCQsIiomLiEpJS0jKycvIKikrKKqpq6hqaWto6unr6BoZGxiamZ\
        uYWllbWNrZ29g6OTs4urm7uHp5e3j6+ff0BgUHBIaFh4RGRUdExsXHxCYlJySmpaekZmVnZObl5+QWFRcUlpWXlFZVV1TW1dfUNjU3NLa1t7R2dXd09vX/+E\
        iZMmT5k6bfqMmbNmz5k7b/6ChYsWL1m6bPmKlatWr1m7bv2GjZs2b9m6bfuOnbt279m7b/+Bg4cOHzl67PiJk6dOnzl77vyFi5cuX7l67fqNm7du37l77/6D\
        h48eP3n67PmLl69ev3n77v2Hj58+f/n67fuPn79+//n77/9I9z8A
        """

    private func decoded(_ text: String) throws -> [UInt8] {
        [UInt8](try #require(Data(base64Encoded: text)))
    }

    @Test func `Each kind of block is decompressed`() throws {
        let stored = try Inflate.decompressed([1, 5, 0, 0xFA, 0xFF] + Array("plain".utf8), limit: 5)
        #expect(stored == Array("plain".utf8))
        #expect(try Inflate.decompressed(decoded(Self.fixed), limit: 10_000) == Self.text)
        let all = Self.text + Array(0...255) + Array(0...255)
        #expect(try Inflate.decompressed(decoded(Self.dynamic), limit: 10_000) == all)
    }

    @Test func `A result beyond the limit is an error`() throws {
        let bytes = try decoded(Self.fixed)
        #expect(throws: FormatError("the decompressed data exceeds 759 bytes")) {
            try Inflate.decompressed(bytes, limit: 759)
        }
    }

    @Test func `Every beginning is an error, and damage is an error or another result`() throws {
        let bytes = try decoded(Self.dynamic)
        for count in 0..<bytes.count {
            #expect(throws: FormatError.self) { try Inflate.decompressed(bytes.prefix(count), limit: 10_000) }
        }
        var random = SeededRandom(seed: 1951)
        var failures = 0
        for _ in 0..<4000 {
            var damaged = bytes
            damaged[Int.random(in: 0..<bytes.count, using: &random)] ^=
                1 << UInt8.random(in: 0..<8, using: &random)
            if (try? Inflate.decompressed(damaged, limit: 10_000)) == nil { failures += 1 }
        }
        #expect((1..<4000).contains(failures))
    }
}
