import ContextCore
import Foundation

/// The model of the cases about values that are declared for external storage.
enum ClipModel {
    static let classes: [ManagedObject.Type] = [Clip.self]
}

@Entity final class Clip: ManagedObject {
    @Attribute(.unique) var name: String
    @Attribute(.externalStorage(over: 10)) var image: Data?
    @Attribute(.externalStorage(over: 10), .preserveValueOnDeletion) var text: String = ""
    @Attribute(.codable, .externalStorage(over: 10)) var tags: [String] = []
    var rating: Int = 0
}

extension Clip {
    static func bytes(_ size: Int) -> Data {
        Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ size) })
    }

    static func text(_ size: Int) -> String { String(repeating: "x", count: size) }

    func fill(_ size: Int) {
        image = Self.bytes(size)
        text = Self.text(size)
        tags = [Self.text(size)]
    }

    func expectFilled(_ size: Int) throws {
        try expect(image == Self.bytes(size), "The image of \(name) has \(size) bytes")
        try expect(text == Self.text(size), "The text of \(name) has \(size) bytes")
        try expect(tags == [Self.text(size)], "The tag of \(name) has \(size) bytes")
    }
}
