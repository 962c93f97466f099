import Foundation
import RandomSeeds
import Testing

@testable import StoreAdmin

/// The reader of binary property lists, and of those in XML.
struct BinaryPropertyListTests {
    private static let sample = PropertyListValue.dictionary([
        "bool": .bool(true), "int": .int(-5), "large": .int(.max), "real": .real(2.5),
        "date": .date(86_400.25),
        "data": .data(Data([0, 1, 255])), "text": .string("plain"), "wide": .string("Größe 😀"),
        "long": .string(String(repeating: "x", count: 300)),
        "list": .array([.int(1), .array([]), .dictionary([:]), .bool(false)]),
    ])

    /// Returns the error of reading a list; nil if it can be read.
    private func error(_ bytes: some Sequence<UInt8>) -> FormatError? {
        do throws(FormatError) {
            _ = try PropertyListValue(reading: Data(bytes))
            return nil
        } catch {
            return error
        }
    }

    @Test func `A written list is read unchanged`() throws {
        #expect(try PropertyListValue(reading: BinaryPropertyListWriter.data(Self.sample)) == Self.sample)
        let archive = PropertyListValue.array([.reference(0), .reference(70_000)])
        #expect(try PropertyListValue(reading: BinaryPropertyListWriter.data(archive)) == archive)
    }

    @Test func `Lists that Foundation writes are read`() throws {
        let list: [String: Any] = [
            "bool": true, "int": -5, "large": Int64.max, "real": 2.5, "text": "Größe & <b>", "list": [1, 2],
            "data": Data([0, 1, 255]), "date": Date(timeIntervalSinceReferenceDate: 86_400),
            "empty": [String: Any](),
        ]
        let expected = PropertyListValue.dictionary([
            "bool": .bool(true), "int": .int(-5), "large": .int(.max), "real": .real(2.5),
            "text": .string("Größe & <b>"), "list": .array([.int(1), .int(2)]),
            "data": .data(Data([0, 1, 255])), "date": .date(86_400), "empty": .dictionary([:]),
        ])
        let binary = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
        #expect(try PropertyListValue(reading: binary) == expected)
        let xml = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
        #expect(try PropertyListValue(reading: xml) == expected)
    }

    @Test func `Every beginning of a list is an error`() {
        let bytes = [UInt8](BinaryPropertyListWriter.data(Self.sample))
        for count in 0..<bytes.count { #expect(error(bytes.prefix(count)) != nil) }
    }

    @Test func `A list that contains itself is an error`() {
        // An array with one element: itself.
        let bytes: [UInt8] = Array("bplist00".utf8) + [0xA1, 0x00, 8]
        let file = bytes + BinaryPropertyListWriter.trailer(1, 0, 10, size: 1)
        #expect(error(file)?.message == "the property list is nested too deeply")
    }

    @Test func `Objects that overlap are an error, as they could expand without bound`() {
        // 60 arrays at the same place, each with references to all of them.
        let elements = (0..<60).map { UInt8($0) }
        let bytes = Array("bplist00".utf8) + [0xAF, 0x10, 60] + elements
        let offsets = [UInt8](repeating: 8, count: 60)
        let file = bytes + offsets + BinaryPropertyListWriter.trailer(60, 0, bytes.count, size: 1)
        #expect(error(file) != nil)
    }

    @Test func `A list that is nested deeply is an error`() {
        var value = PropertyListValue.int(1)
        for _ in 0..<200 { value = .array([value]) }
        #expect(
            error(BinaryPropertyListWriter.data(value))?.message == "the property list is nested too deeply")
    }

    @Test(arguments: [
        ("<plist><dict><key>a</key></dict></plist>", "a dictionary of the property list is incomplete"),
        ("<plist><integer>x</integer></plist>", "the property list has a value that is not valid: <integer>"),
        ("<plist></plist>", "it is not a property list"), ("<html/>", "it is not a property list"),
        ("<plist><true/>", "line 1: the XML document is incomplete"),
    ])
    func `Invalid lists in XML are errors`(text: String, message: String) {
        #expect(error(text.utf8)?.message == message)
    }

    @Test func `Damaged lists are read or are errors`() {
        var random = SeededRandom(seed: 35)
        let bytes = [UInt8](BinaryPropertyListWriter.data(Self.sample))
        var failures = 0
        for _ in 0..<4000 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            if error(damaged) != nil { failures += 1 }
        }
        #expect((1..<4000).contains(failures))
    }
}
