import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// The decoding of transformable values.
struct PlainValuesTests {
    private func json(_ make: (inout KeyedArchiveBuilder) -> PropertyListValue) -> String? {
        PlainValues.json(of: KeyedArchiveBuilder.data(make))?.text
    }

    @Test func `Archives of plain values become JSON`() {
        let text = json { builder in
            let ann = builder.text("Ann")
            let uuid = Data([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16])
            let inner: [(String, PropertyListValue)] = [
                (
                    "names",
                    builder.array([ann, ann, builder.object("NSMutableString", ["NS.string": .string("Bo")])])
                ),
                ("since", builder.object("NSDate", ["NS.time": .real(0.5)])),
                ("id", builder.object("NSUUID", ["NS.uuidbytes": .data(uuid)])),
                ("site", builder.object("NSURL", ["NS.relative": builder.text("https://example.org/a")])),
                ("photo", builder.object("NSMutableData", ["NS.data": .data(Data([255]))])),
                ("score", builder.add(.int(12))), ("rate", builder.add(.real(2))),
                ("isOn", builder.add(.bool(true))),
                ("nothing", builder.object("NSNull", [:])),
                ("ranks", builder.object("NSSet", ["NS.objects": .array([builder.add(.int(3))])])),
                (
                    "order",
                    builder.object("NSOrderedSet", ["NS.object.0": ann, "NS.object.1": builder.text("Bo")])
                ),
                (
                    "price",
                    builder.object(
                        "NSDecimalNumberPlaceholder",
                        [
                            "NS.mantissa": .data(
                                Data([0xE8, 0x03, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])),
                            "NS.exponent": .int(-3), "NS.length": .int(2), "NS.negative": .bool(true),
                            "NS.mantissa.bo": .int(1),
                        ])
                ),
            ]
            return builder.dictionary(inner)
        }
        #expect(
            text == """
                {"id":"01020304-0506-0708-090A-0B0C0D0E0F10","isOn":true,"names":["Ann","Ann","Bo"],"nothing":null,\
                "order":["Ann","Bo"],"photo":"/w==","price":-66.536,"ranks":[3],"rate":2,"score":12,"since":0.5,\
                "site":"https://example.org/a"}
                """)
    }

    @Test func `A Codable type decodes the JSON`() throws {
        struct Trip: Codable, Equatable {
            var start: Date
            var id: UUID
            var tags: Set<String>
        }
        let uuid = UUID()
        let bytes = withUnsafeBytes(of: uuid.uuid) { Data($0) }
        let json = try #require(
            PlainValues.json(
                of: KeyedArchiveBuilder.data { builder in
                    let entries = [
                        ("start", builder.object("NSDate", ["NS.time": .real(86_400)])),
                        ("id", builder.object("NSUUID", ["NS.uuidbytes": .data(bytes)])),
                        ("tags", builder.object("NSSet", ["NS.objects": .array([builder.text("a")])])),
                    ]
                    return builder.dictionary(entries)
                }))
        let trip = try CodableCoding.value(Trip.self, from: .string(json.text))
        #expect(trip == Trip(start: Date(timeIntervalSinceReferenceDate: 86_400), id: uuid, tags: ["a"]))
    }

    @Test func `Property lists become JSON`() throws {
        let list = PropertyListValue.array([.string("a"), .int(1), .dictionary(["b": .date(1.5)])])
        #expect(PlainValues.json(of: BinaryPropertyListWriter.data(list))?.text == #"["a",1,{"b":1.5}]"#)
        let xml = Data("<?xml version=\"1.0\"?><plist><array><true/></array></plist>".utf8)
        #expect(PlainValues.json(of: xml)?.text == "[true]")
    }

    @Test func `Objects of other classes, cycles and expanding archives are not plain`() {
        #expect(json { $0.object("App.Cover", ["text": .string("x")]) } == nil)
        #expect(json { $0.array([$0.object("UIColor", [:])]) } == nil)
        #expect(PlainValues.json(of: Data([1, 2, 3])) == nil)
        #expect(json { $0.add(.string("a\0b")) } == nil)
        #expect(json { $0.add(.real(.infinity)) } == nil)
        let cycle = json { builder in
            let outer = builder.reserve()
            return builder.object("NSArray", ["NS.objects": .array([outer])], as: outer)
        }
        #expect(cycle == nil)
        // 30 arrays, each with the next one ten times.
        let expanding = json { builder in
            var value = builder.add(.int(1))
            for _ in 0..<30 { value = builder.array(Array(repeating: value, count: 10)) }
            return value
        }
        #expect(expanding == nil)
    }
}
