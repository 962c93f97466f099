import Foundation

/// What a probe's last property answered, by which it shows whether a key path answers that and nothing else.
enum ProbeAnswer {
    /// A value of an attribute of some type.
    case value(StoredValue, of: AttributeType)
    /// Whatever stands for no value.
    case placeholder
    /// The objects of a relationship.
    case objects([ManagedObject])
    /// What can't be told: JSON, or what a transformer makes.
    case anything

    /// Whether a value that a key path led to is what the property answered, or the part of it that the path names further.
    func isAnswer(_ value: Any, of type: Any.Type, behind tail: KeyPathTail) -> Bool {
        switch (self, tail) {
        case (.anything, _), (.placeholder, .count): return true
        case (.objects(let objects), .count): return value as? Int == objects.count
        case (.objects(let objects), .names): return Self.objects(in: value).elementsEqual(objects, by: ===)
        case (.value, .count): return false
        case (.value(let sample, let attribute), .names(let rest)):
            guard let (sample, attribute) = attribute.part(rest, of: sample) else { return true }
            guard let type = type as? any AttributeValue.Type else { return false }
            return type.attributeType.isKind(of: attribute)
                && Self.stored(value) == Self.expected(of: sample, as: type)
        case (.placeholder, .names):
            guard let type = type as? any AttributeValue.Type else { return true }
            return [.null, type.placeholder.storedValue].contains(Self.stored(value))
        }
    }

    private static func stored(_ value: Any) -> StoredValue {
        (value as? any AttributeValue)?.storedValue ?? .null
    }

    /// What an accessor makes of a sample, which an enumeration may have no case for.
    private static func expected<Value: AttributeValue>(
        of sample: StoredValue, as type: Value.Type
    ) -> StoredValue {
        (Value(storedValue: sample) ?? Value.placeholder).storedValue
    }

    private static func objects(in value: Any) -> [ManagedObject] {
        if let object = value as? ManagedObject { return [object] }
        if let list = value as? [ManagedObject] { return list }
        return (value as? Set<ManagedObject>).map(Array.init) ?? []
    }
}

extension ManagedObject {
    /// The type of an attribute that a sample can be had of; nil where something stands between it and what is stored.
    static func sampledType(of name: String) -> AttributeType? {
        guard let attribute = describedAttribute(name) else { return nil }
        return attribute.transformerName == nil ? attribute.type : nil
    }

    /// An attribute as the class, or one above it, describes it.
    static func describedAttribute(_ name: String) -> AttributeDescription? {
        var next: ManagedObject.Type? = self
        while let type = next, type != ManagedObject.self {
            if let attribute = type.entityDescription.attributes.first(where: { $0.name == name }) {
                return attribute
            }
            next = _getSuperclass(type) as? ManagedObject.Type
        }
        return nil
    }
}

extension AttributeType {
    /// The type of a composite's part and its value; the type itself where no part is named, nil where there is none such.
    fileprivate func part(_ names: [String], of value: StoredValue) -> (StoredValue, AttributeType)? {
        guard let name = names.first else { return (value, self) }
        guard names.count == 1, case .composite(let parts) = self, case .composite(let values) = value
        else { return nil }
        let sorted = parts.sortedByBytes(of: \.name)
        guard let index = sorted.firstIndex(where: { $0.name == name }) else { return nil }
        return (values[index], sorted[index].type)
    }

    /// Whether values of two types are kept alike.
    fileprivate func isKind(of other: AttributeType) -> Bool {
        switch (self, other) {
        case (.decimal, .decimal), (.composite, .composite): true
        default: self == other
        }
    }
}
