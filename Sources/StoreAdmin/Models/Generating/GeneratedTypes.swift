import ContextCore

/// The names of the Swift types that are generated for a model.
struct GeneratedTypes {
    /// A transformer of the model, by its name and the type of its stored values.
    struct Transformer: Hashable {
        let name: String
        let type: AttributeType
    }

    /// The type of attributes that are stored as JSON.
    static let json = "JSONContent"
    /// The names of the list of classes and of its file.
    static let list = (variable: "appModel", file: "AppModel", transformers: "appTransformers")

    /// The classes by the names of their entities.
    private(set) var classes: [String: String] = [:]
    /// The composites, in the order of their names in the model.
    private(set) var composites: [(parts: [AttributeDescription], name: String)] = []
    /// The transformers, in the order of the model.
    private(set) var transformers: [(transformer: Transformer, name: String)] = []
    /// Whether an attribute is stored as JSON, so that ``json`` is needed.
    private(set) var hasJSON = false
    /// The names in use, in lower case, because each is also the name of a file.
    private var used: Set<String>
    /// The names of properties, which hide types of the same name in the code of the macros.
    private let propertyNames: Set<String>

    init(_ model: ObjectModel) {
        used = Set((Self.reserved + [Self.json, Self.list.file]).map { $0.lowercased() })
        let entities = model.layouts.map(\.description)
        propertyNames = Set(entities.flatMap { $0.attributes.map(\.name) + $0.relationships.map(\.name) })
        for entity in entities { classes[entity.name] = unique([entity.name, entity.name + "Object"]) }
        for entity in entities {
            for attribute in entity.attributes { add(attribute, of: entity.name) }
        }
    }

    /// Returns the class of an entity.
    func className(_ entity: String) -> String { SwiftText.name(classes[entity] ?? entity) }

    /// Returns the type of an attribute's property, without optionality.
    func typeName(_ attribute: AttributeDescription) -> String {
        attribute.transformerName != nil && attribute.type == .codable
            ? standard("String") : typeName(attribute.type)
    }

    /// Returns the struct of a composite's parts.
    func compositeName(_ parts: [AttributeDescription]) -> String {
        composites.first { $0.parts == parts }?.name ?? ""
    }

    /// Returns the type that converts an attribute's values; nil if it has no transformer.
    func transformerName(_ attribute: AttributeDescription) -> String? {
        guard let name = attribute.transformerName else { return nil }
        let transformer = Transformer(name: name, type: attribute.type)
        return transformers.first { $0.transformer == transformer }?.name
    }

    /// Returns a standard type, with its module if a property has the same name.
    func standard(_ name: String) -> String {
        guard propertyNames.contains(name) else { return name }
        let isOfFoundation = ["Data", "Date", "Decimal", "URL", "UUID"].contains(name)
        return (isOfFoundation ? "Foundation." : "Swift.") + name
    }

    private func typeName(_ type: AttributeType) -> String {
        switch type {
        case .bool: standard("Bool")
        case .int16: standard("Int16")
        case .int32: standard("Int32")
        case .int64: standard("Int")
        case .float: standard("Float")
        case .double: standard("Double")
        case .decimal: standard("Decimal")
        case .string: standard("String")
        case .data: standard("Data")
        case .date: standard("Date")
        case .uuid: standard("UUID")
        case .url: standard("URL")
        case .codable: Self.json
        case .composite(let parts): SwiftText.name(compositeName(parts))
        }
    }

    private mutating func add(_ attribute: AttributeDescription, of entity: String) {
        let capitalized = Self.typeName(attribute.name)
        if case .composite(let parts) = attribute.type, !composites.contains(where: { $0.parts == parts }) {
            composites.append((parts, unique([capitalized, Self.typeName(entity) + capitalized])))
        }
        guard let name = attribute.transformerName, attribute.storage == .stored else {
            if attribute.type == .codable, attribute.storage == .stored { hasJSON = true }
            return
        }
        let transformer = Transformer(name: name, type: attribute.type)
        guard !transformers.contains(where: { $0.transformer == transformer }) else { return }
        let base = Self.typeName(name)
        transformers.append(
            (transformer, unique([base.hasSuffix("Transformer") ? base : base + "Transformer"])))
    }

    /// Returns the first name that is free, or the last one with a number.
    private mutating func unique(_ candidates: [String]) -> String {
        var name = candidates.first(where: isFree)
        var number = 2
        while name == nil {
            name = candidates.last.map { "\($0)\(number)" }.flatMap { isFree($0) ? $0 : nil }
            number += 1
        }
        used.insert((name ?? "").lowercased())
        return name ?? ""
    }

    private func isFree(_ name: String) -> Bool {
        !used.contains(name.lowercased()) && !propertyNames.contains(name)
    }

    /// Returns a text as the name of a type: `home_address` becomes `HomeAddress`.
    private static func typeName(_ text: String) -> String {
        let words = text.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
        let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        return name.first?.isNumber == false ? name : "Value" + name
    }

    /// The types that the sources and the code of the macros use, and names that the macros take for standard types.
    private static let reserved = [
        "Any", "AnyObject", "Array", "Attribute", "AttributeTransformer", "AttributeType", "AttributeValue",
        "Bool", "CGFloat", "Character", "Codable", "Comparable", "Composite", "CompositeValue",
        "CustomDebugStringConvertible", "CustomStringConvertible", "Data", "Date", "Decimal", "Decodable",
        "Decoder", "Derived", "Dictionary", "Double", "Encodable", "Encoder", "Entity", "EntityDescription",
        "Equatable", "Error", "Float", "Float16", "Float80", "Hashable", "Identifiable", "Int", "Int128",
        "Int16", "Int32", "Int64", "Int8", "ManagedObject", "ManagedProperty", "NSArray", "NSData", "NSDate",
        "NSNumber", "NSOrderedSet", "NSSet", "NSString", "Never", "ObjectContext", "Observable", "Optional",
        "PropertyDescription", "Relationship", "Sendable", "Set", "StoredValue", "String", "Substring",
        "Swift", "ContextCore", "Foundation", "Transient", "UInt", "UInt128", "UInt16", "UInt32", "UInt64",
        "UInt8", "URL", "UUID", "Void",
    ]
}
