import ContextCore
import Hummingbird

/// The JSON of a snapshot: the object's number, its attributes, and the numbers of the objects that it refers to.
///
/// Members of a to-many relationship are included if it is named, because a snapshot has those that happen to be loaded. `EntitySnapshot` is itself `Codable`, with typed values and complete identifiers, for programs that share the model.
struct SnapshotBody<Object: ManagedObject>: ResponseEncodable, Sendable {
    let snapshot: EntitySnapshot<Object>
    /// The names of the to-many relationships whose members are included.
    let relationships: [String]

    init(_ snapshot: EntitySnapshot<Object>, with relationships: [String] = []) {
        (self.snapshot, self.relationships) = (snapshot, relationships)
    }

    func encode(to encoder: any Encoder) throws {
        let values = snapshot.objectSnapshot
        var container = encoder.container(keyedBy: PropertyKey.self)
        try container.encode(values.objectID.number, forKey: PropertyKey("id"))
        for (name, value) in values.attributes {
            try container.encode(PlainValue(value: value), forKey: PropertyKey(name))
        }
        for (name, id) in values.references { try container.encode(id.number, forKey: PropertyKey(name)) }
        for name in relationships {
            let numbers = values.collections[name]?.map(\.number).sorted()
            try container.encode(numbers, forKey: PropertyKey(name))
        }
    }
}

/// The name of a property in JSON.
private struct PropertyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// A stored value as JSON without its type.
private struct PlainValue: Encodable {
    let value: StoredValue

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch value {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .int(let value), .timestamp(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        // As text, because many clients read numbers as doubles.
        case .decimal(let value): try container.encode("\(value)")
        case .string(let value): try container.encode(value)
        case .data(let value): try container.encode(value)
        case .uuid(let value): try container.encode(value)
        case .composite(let values): try container.encode(values.map(PlainValue.init))
        }
    }
}
