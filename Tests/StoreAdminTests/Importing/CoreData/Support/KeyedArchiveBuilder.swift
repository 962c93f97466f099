import Foundation

@testable import StoreAdmin

/// Builds keyed archives object by object, as `NSKeyedArchiver` writes them.
struct KeyedArchiveBuilder {
    private var objects: [PropertyListValue] = [.string("$null")]
    private var classes: [String: PropertyListValue] = [:]

    /// The reference to nil.
    static let null = PropertyListValue.reference(0)

    mutating func add(_ value: PropertyListValue) -> PropertyListValue {
        objects.append(value)
        return .reference(objects.count - 1)
    }

    /// Reserves an object, for references in a cycle.
    mutating func reserve() -> PropertyListValue { add(.null) }

    mutating func object(
        _ name: String, _ members: [String: PropertyListValue], superclasses: [String] = [],
        as reserved: PropertyListValue? = nil
    ) -> PropertyListValue {
        let names = [name] + superclasses + ["NSObject"]
        let kind =
            classes[name]
            ?? add(
                .dictionary([
                    "$classname": .string(name), "$classes": .array(names.map(PropertyListValue.string)),
                ]))
        classes[name] = kind
        let value = PropertyListValue.dictionary(members.merging(["$class": kind]) { $1 })
        guard case .reference(let index)? = reserved else { return add(value) }
        objects[index] = value
        return .reference(index)
    }

    mutating func text(_ text: String?) -> PropertyListValue { text.map { add(.string($0)) } ?? Self.null }

    mutating func array(_ elements: [PropertyListValue]) -> PropertyListValue {
        object("NSMutableArray", ["NS.objects": .array(elements)], superclasses: ["NSArray"])
    }

    mutating func dictionary(_ entries: [(String, PropertyListValue)]) -> PropertyListValue {
        let keys = entries.map { text($0.0) }
        return object(
            "NSMutableDictionary", ["NS.keys": .array(keys), "NS.objects": .array(entries.map(\.1))],
            superclasses: ["NSDictionary"])
    }

    func list(root: PropertyListValue) -> PropertyListValue {
        .dictionary([
            "$archiver": .string("NSKeyedArchiver"), "$version": .int(100_000),
            "$top": .dictionary(["root": root]), "$objects": .array(objects),
        ])
    }

    func data(root: PropertyListValue) -> Data { BinaryPropertyListWriter.data(list(root: root)) }

    /// Returns the archive of one object of Foundation.
    static func data(_ make: (inout KeyedArchiveBuilder) -> PropertyListValue) -> Data {
        var builder = KeyedArchiveBuilder()
        let root = make(&builder)
        return builder.data(root: root)
    }
}
