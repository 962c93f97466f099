import Foundation

/// The value that a probe returned for the last property of a key path, to check whether the key path ends there.
enum ProbedValue {
    /// The value of an attribute.
    case value(StoredValue, of: AttributeType)
    /// A placeholder for nil.
    case placeholder
    /// The objects of a relationship.
    case objects([ManagedObject])
    /// A value that can't be compared: JSON, or the result of a transformer.
    case incomparable

    /// Whether a value equals the probed one, or the part of it that the tail of the key path names.
    func matches(_ value: Any, of type: Any.Type, after tail: KeyPathTail) -> Bool {
        switch (self, tail) {
        case (.incomparable, _), (.placeholder, .count): return true
        case (.objects(let objects), .count): return value as? Int == objects.count
        case (.objects(let objects), .names): return Self.objects(in: value).elementsEqual(objects, by: ===)
        case (.value, .count): return false
        case (.value(let sample, let attribute), .names(let rest)):
            guard let (sample, attribute) = attribute.partValue(rest, of: sample) else { return true }
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

    /// Returns the value that an accessor returns for a sample: a placeholder if the sample is not a case of an
    /// enumeration.
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
    /// Returns the type of the named attribute; nil if it has a transformer, or if there is no such attribute.
    static func sampledType(of name: String) -> AttributeType? {
        guard let attribute = describedAttribute(name) else { return nil }
        return attribute.transformerName == nil ? attribute.type : nil
    }

    /// Returns the description of an attribute of the class or of a superclass.
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
    /// Returns the value and type of a composite's part, or of the value itself if no part is named; nil if there is no
    /// such part.
    fileprivate func partValue(_ names: [String], of value: StoredValue) -> (StoredValue, AttributeType)? {
        guard let name = names.first else { return (value, self) }
        guard names.count == 1, case .composite(let parts) = self, case .composite(let values) = value
        else { return nil }
        let sorted = parts.sortedByBytes(of: \.name)
        guard let index = sorted.firstIndex(where: { $0.name == name }) else { return nil }
        return (values[index], sorted[index].type)
    }

    /// Whether values of two types have the same representation.
    fileprivate func isKind(of other: AttributeType) -> Bool {
        switch (self, other) {
        case (.decimal, .decimal), (.composite, .composite): true
        default: self == other
        }
    }
}
