import RandomSeeds
import Testing

@testable import StoreAdmin

struct UTF8ConverterTests {
    private func text(_ bytes: [UInt8], _ encoding: TextEncoding? = nil, piece: Int) throws -> String {
        var converter = UTF8Converter(encoding)
        var converted: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: piece) {
            converted += try converter.convert(Array(bytes[start..<min(start + piece, bytes.count)]))
        }
        converted += try converter.finish()
        return String(decoding: converted, as: UTF8.self)
    }

    private static let sample = "a,é\n日本😀\u{FEFF}€"

    private static func utf16(_ text: String, isLittle: Bool) -> [UInt8] {
        text.utf16.flatMap { unit in
            let (low, high) = (UInt8(truncatingIfNeeded: unit), UInt8(truncatingIfNeeded: unit >> 8))
            return isLittle ? [low, high] : [high, low]
        }
    }

    @Test(arguments: 1...6) func `A byte-order mark determines the encoding, and is removed`(piece: Int)
        throws
    {
        let utf8 = Array(Self.sample.utf8)
        #expect(try text(utf8, piece: piece) == Self.sample)
        #expect(try text([0xEF, 0xBB, 0xBF] + utf8, piece: piece) == Self.sample)
        #expect(
            try text([0xFF, 0xFE] + Self.utf16(Self.sample, isLittle: true), piece: piece) == Self.sample)
        #expect(
            try text([0xFE, 0xFF] + Self.utf16(Self.sample, isLittle: false), piece: piece) == Self.sample)
        let marked = [0xFE, 0xFF] + Self.utf16(Self.sample, isLittle: false)
        #expect(try text(marked, .utf16, piece: piece) == Self.sample)
        #expect(try text(Self.utf16("é", isLittle: true), .utf16LittleEndian, piece: piece) == "é")
        #expect(try text(Self.utf16("é", isLittle: false), .utf16BigEndian, piece: piece) == "é")
    }

    @Test func `Encodings of one byte have their own characters`() throws {
        #expect(try text([0x61, 0xE9, 0x80], .latin1, piece: 2) == "aé\u{80}")
        #expect(try text([0x61, 0xE9, 0x80, 0x99, 0x81], .windows1252, piece: 2) == "aé€™\u{81}")
    }

    @Test func `Invalid bytes are errors with their position`() {
        func failure(_ bytes: [UInt8], _ encoding: TextEncoding? = nil) -> UTF8Converter.Failure? {
            do {
                _ = try text(bytes, encoding, piece: 3)
                return nil
            } catch { return error as? UTF8Converter.Failure }
        }
        #expect(failure([0x61, 0x62, 0x63, 0x64, 0xFF]) == .init(offset: 4, encoding: .utf8))
        #expect(failure([0x61, 0x62, 0x63, 0xC3]) == .init(offset: 3, encoding: .utf8))
        #expect(failure([0xFF, 0xFE, 0x61, 0x00, 0x62]) == .init(offset: 4, encoding: .utf16LittleEndian))
        #expect(
            failure([0x00, 0xD8, 0x61, 0x00], .utf16LittleEndian)
                == .init(offset: 0, encoding: .utf16LittleEndian))
        #expect(failure([0x00, 0xDC], .utf16LittleEndian) == .init(offset: 0, encoding: .utf16LittleEndian))
        #expect(failure([0x61, 0x00], .utf16) == .init(offset: 0, encoding: .utf16))
    }

    @Test func `Any bytes are converted or rejected`() {
        var random = SeededRandom(seed: 3)
        for _ in 0..<20_000 {
            let bytes = (0..<random.next(upTo: 12)).map { _ in
                UInt8(
                    truncatingIfNeeded: [0x61, 0xC3, 0xA9, 0xF0, 0x9F, 0xD8, 0xDC, 0xFF, 0xFE][
                        random.next(upTo: 9)])
            }
            for encoding in TextEncoding.allCases.map(Optional.some) + [nil] {
                let whole = try? text(bytes, encoding, piece: 64)
                #expect((try? text(bytes, encoding, piece: random.next(upTo: 4) + 1)) == whole)
                if encoding == nil, whole != nil, !bytes.starts(with: [0xFF, 0xFE]),
                    !bytes.starts(with: [0xFE, 0xFF])
                {
                    #expect(String(validating: bytes, as: UTF8.self) != nil)
                }
            }
        }
    }
}
