import ContextCore
import Foundation

/// Converts property lists and keyed archives of plain Foundation values to JSON, in the form that `JSONEncoder` writes by default.
///
/// Dates become seconds since 2001, data base64, and sets arrays, so that a property with the same `Codable` type can decode them.
struct PlainValues {
    private static let maxDepth = 64

    /// The number of values that may still follow; references of an archive may repeat a large value many times.
    private var valuesLeft = 1_000_000
    /// The objects around the current value, which must not contain themselves.
    private var openObjects: Set<Int> = []

    /// Returns the JSON of the output of a value transformer; nil if it isn't a plain value.
    static func json(of data: Data) -> JSONValue? {
        guard BinaryPropertyList.isBinary(data) || data.starts(with: Array("<?xml".utf8)),
            let list = try? PropertyListValue(reading: data)
        else { return nil }
        var values = PlainValues()
        guard let archive = try? KeyedArchive(list) else { return values.json(list, nil, depth: 0) }
        // An archived nil has a reference to the placeholder for nil.
        guard let root = archive.top["root"] else { return nil }
        return values.json(root, archive, depth: 0)
    }

    private mutating func json(_ value: PropertyListValue, _ archive: KeyedArchive?, depth: Int) -> JSONValue?
    {
        valuesLeft -= 1
        guard valuesLeft >= 0, depth < Self.maxDepth else { return nil }
        switch value {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .int(let number): return .number(String(number))
        case .real(let number), .date(let number): return Self.number(number)
        case .data(let data): return .string(data.base64EncodedString())
        case .string(let text): return text.utf8.contains(0) ? nil : .string(text)
        case .reference(let index):
            guard let archive else { return nil }
            guard let resolved = archive.resolved(value) else { return index == 0 ? .null : nil }
            if case .dictionary = resolved {
                guard let object = archive.object(value), openObjects.insert(index).inserted else {
                    return nil
                }
                defer { openObjects.remove(index) }
                return json(object, depth: depth)
            }
            return json(resolved, archive, depth: depth + 1)
        case .array(let elements): return array(elements, archive, depth: depth)
        case .dictionary(let members):
            var json: [String: JSONValue] = [:]
            for (name, member) in members {
                guard !name.utf8.contains(0), let value = self.json(member, archive, depth: depth + 1) else {
                    return nil
                }
                json[name] = value
            }
            return .object(json)
        }
    }

    private mutating func array(
        _ elements: [PropertyListValue], _ archive: KeyedArchive?, depth: Int
    ) -> JSONValue? {
        var json: [JSONValue] = []
        for element in elements {
            guard let value = self.json(element, archive, depth: depth + 1) else { return nil }
            json.append(value)
        }
        return .array(json)
    }

    // MARK: Archived objects

    private mutating func json(_ object: ArchivedObject, depth: Int) -> JSONValue? {
        switch object.className {
        case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet":
            return object.elements.flatMap { array($0, object.archive, depth: depth) }
        case "NSOrderedSet", "NSMutableOrderedSet":
            let elements = (0..<object.members.count).compactMap { object.members["NS.object.\($0)"] }
            return array(elements, object.archive, depth: depth)
        case "NSDictionary", "NSMutableDictionary": return dictionary(object, depth: depth)
        case "NSString", "NSMutableString":
            return object.string("NS.string").flatMap { $0.utf8.contains(0) ? nil : .string($0) }
        case "NSData", "NSMutableData":
            return (object.value("NS.data")?.data).map { .string($0.base64EncodedString()) }
        case "NSDate": return object.number("NS.time").flatMap(Self.number)
        case "NSUUID":
            return (object.value("NS.uuidbytes")?.data).flatMap(Self.uuid).map { .string($0.uuidString) }
        case "NSURL": return url(object, depth: depth).map { .string($0) }
        case "NSNull": return .null
        case "NSDecimalNumber", "NSDecimalNumberPlaceholder":
            return object.decimal.map { .number($0.description) }
        default: return nil
        }
    }

    private mutating func dictionary(_ object: ArchivedObject, depth: Int) -> JSONValue? {
        guard let entries = object.entries else { return nil }
        var json: [String: JSONValue] = [:]
        for (key, value) in entries {
            guard
                let name = object.archive.resolved(key)?.string
                    ?? object.archive.object(key)?.string("NS.string"),
                !name.utf8.contains(0), let member = self.json(value, object.archive, depth: depth + 1)
            else { return nil }
            json[name] = member
        }
        return .object(json)
    }

    private func url(_ object: ArchivedObject, depth: Int) -> String? {
        guard depth < Self.maxDepth, let text = object.string("NS.relative"), !text.utf8.contains(0) else {
            return nil
        }
        guard let base = object.object("NS.base") else { return text }
        return url(base, depth: depth + 1).flatMap { URL(string: text, relativeTo: URL(string: $0)) }?
            .absoluteString
    }

    private static func number(_ number: Double) -> JSONValue? {
        guard number.isFinite else { return nil }
        let text = "\(number)"
        return .number(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }

    /// Returns the UUID with the given 16 bytes.
    static func uuid(_ data: Data) -> UUID? {
        data.count == 16 ? data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) } : nil
    }
}
