import ContextCore
import Foundation

@testable import StoreAdmin

/// The shapes of documents in `docs/storectl-shapes.json`.
struct DocumentShapes {
    /// The folder of the package.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private let shapes: [String: JSONValue]

    init() throws {
        let text = try String(
            contentsOf: Self.root.appending(path: "docs/storectl-shapes.json"), encoding: .utf8)
        guard case .object(let shapes) = JSONValue(try JSONDocument(text).root) else {
            shapes = [:]
            return
        }
        self.shapes = shapes
    }

    var names: Set<String> { Set(shapes.keys).subtracting(["notation"]) }

    /// Describes the differences of a document from its shape, a sentence each.
    func differences(_ document: JSONValue) -> [String] {
        guard case .object(var members) = document, case .string(let name)? = members["schema"],
            let shape = shapes[name]
        else { return ["the document has no known shape"] }
        guard case .bool? = members["ok"] else { return ["ok is not a Boolean"] }
        members["schema"] = nil
        members["ok"] = nil
        return Self.differences(.object(members), shape, name)
    }

    private static func differences(_ value: JSONValue, _ shape: JSONValue, _ path: String) -> [String] {
        switch (shape, value) {
        case (.string(let name), _):
            return isOf(name, value) ? [] : ["\(path) is \(value.text), and no \(name)"]
        case (.array(let shapes), .array(let values)):
            return values.enumerated().flatMap { differences($1, shapes.first ?? .null, "\(path)[\($0)]") }
        case (.array(let shapes), .null) where shapes.count > 1: return []
        case (.object(let shapes), .null) where shapes["?"] != nil: return []
        case (.object(let shapes), .object(let members)):
            if let each = shapes["*"] {
                return members.flatMap { differences($0.value, each, "\(path).\($0.key)") }
            }
            let names = Set(shapes.keys).subtracting(["?"])
            let odd = names.symmetricDifference(members.keys).sorted().map {
                "\(path).\($0) is only in the document or only in the shape"
            }
            return odd
                + names.intersection(members.keys).flatMap { name in
                    differences(members[name] ?? .null, shapes[name] ?? .null, "\(path).\(name)")
                }
        default: return ["\(path) is \(value.text)"]
        }
    }

    private static func isOf(_ name: String, _ value: JSONValue) -> Bool {
        switch value {
        case .null: name.hasSuffix("?") || name == "any"
        case .bool: name.hasPrefix("bool") || name == "any"
        case .string: name.hasPrefix("string") || name == "any"
        case .number(let text): name == "any" || name.hasPrefix("int") && Int(text) != nil
        case .array, .object: name == "any"
        }
    }
}
