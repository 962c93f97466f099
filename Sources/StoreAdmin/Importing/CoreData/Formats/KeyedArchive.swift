import Foundation

/// The objects of a keyed archive, which `NSKeyedArchiver` wrote.
struct KeyedArchive: Sendable {
    private let objects: [PropertyListValue]
    /// The values at the top, by their keys.
    let top: [String: PropertyListValue]

    /// Reads an archive in a binary property list.
    init(reading data: Data) throws(FormatError) {
        try self.init(PropertyListValue(reading: data))
    }

    init(_ list: PropertyListValue) throws(FormatError) {
        guard let root = list.dictionary, root["$archiver"]?.string == "NSKeyedArchiver",
            let objects = root["$objects"]?.array, let top = root["$top"]?.dictionary
        else { throw FormatError("it is not a keyed archive") }
        self.objects = objects
        self.top = top
    }

    /// The root object, which is archived under the key `root`.
    var root: ArchivedObject? { top["root"].flatMap { object($0) } }

    /// Follows a reference; nil for the placeholder of nil and for a reference out of range.
    func resolved(_ value: PropertyListValue) -> PropertyListValue? {
        guard case .reference(let index) = value else { return value }
        guard objects.indices.contains(index), index != 0 else { return nil }
        return objects[index]
    }

    /// Returns the object that a value refers to; nil if the value isn't a reference to an object with a class.
    func object(_ value: PropertyListValue) -> ArchivedObject? {
        guard case .reference(let index) = value, let members = resolved(value)?.dictionary,
            let description = members["$class"].flatMap({ resolved($0)?.dictionary })
        else { return nil }
        let classes = (description["$classes"]?.array ?? []).compactMap(\.string)
        guard let name = description["$classname"]?.string ?? classes.first else { return nil }
        return ArchivedObject(
            archive: self, index: index, className: name, classNames: Set(classes + [name]), members: members)
    }
}

/// An object of a keyed archive.
struct ArchivedObject: Sendable {
    let archive: KeyedArchive
    /// The object's number in the archive, which identifies it.
    let index: Int
    let className: String
    /// The names of its class and of that class's superclasses.
    let classNames: Set<String>
    let members: [String: PropertyListValue]

    func isKind(of name: String) -> Bool { classNames.contains(name) }

    /// Returns a member with its reference followed; nil if there is none.
    func value(_ key: String) -> PropertyListValue? { members[key].flatMap(archive.resolved) }

    func object(_ key: String) -> ArchivedObject? { members[key].flatMap(archive.object) }

    /// Returns a text, which may be archived as a value or as an object.
    func string(_ key: String) -> String? {
        value(key).flatMap { $0.string ?? $0.dictionary?["NS.string"]?.string }
    }

    func bool(_ key: String) -> Bool {
        switch value(key) {
        case .bool(let value)?: value
        case .int(let value)?: value != 0
        default: false
        }
    }

    func int(_ key: String) -> Int? { value(key)?.int }

    /// The elements of an archived array or set; nil for other objects.
    var elements: [PropertyListValue]? { members["NS.keys"] == nil ? members["NS.objects"]?.array : nil }

    /// The keys and values of an archived dictionary; nil for other objects.
    var entries: [(key: PropertyListValue, value: PropertyListValue)]? {
        if let keys = members["NS.keys"]?.array, let values = members["NS.objects"]?.array {
            return Array(zip(keys, values)).map { (key: $0, value: $1) }
        }
        // Core Data's dictionary with fixed keys.
        guard let keys = object("searchMapping")?.object("keys")?.elements,
            let values = object("values")?.elements
        else { return nil }
        return Array(zip(keys, values)).map { (key: $0, value: $1) }
    }

    /// Returns the objects in a member that is an array or a set.
    func objects(_ key: String) -> [ArchivedObject] {
        (object(key)?.elements ?? []).compactMap(archive.object)
    }

    /// Returns the objects in a member that is a dictionary.
    func entryObjects(_ key: String) -> [ArchivedObject] {
        (object(key)?.entries ?? []).compactMap { archive.object($0.value) }
    }
}
