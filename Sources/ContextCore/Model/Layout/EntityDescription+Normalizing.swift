/// The canonical form of a description, which layouts, model files and fingerprints use: one model can be written in several ways.
extension EntityDescription {
    /// The same entity, with its parts sorted by the bytes of their names and numbers converted to the type of their attribute.
    var normalized: EntityDescription {
        var entity = self
        entity.attributes = attributes.map(\.normalized).sortedByBytes(of: \.name)
        entity.relationships = relationships.sortedByBytes(of: \.name)
        entity.indexes = indexes.withoutDuplicates.sortedByBytes(of: \.sortingText)
        entity.uniqueConstraints = uniqueConstraints.withoutDuplicates
            .sortedByBytes { $0.properties.joined(separator: ",") }
        return entity
    }
}

extension AttributeDescription {
    fileprivate var normalized: AttributeDescription {
        var attribute = self
        if case .composite(let parts) = type {
            attribute.type = .composite(parts.map(\.normalized).sortedByBytes(of: \.name))
        }
        if case .value(let value) = defaultValue {
            attribute.defaultValue =
                value.isNull && isOptional ? nil : .value(value.normalized(for: attribute.type))
        }
        attribute.rules = rules.map { $0.normalized(for: type) }.sortedByBytes(of: \.sortingText)
        return attribute
    }
}

extension StoredValue {
    fileprivate func normalized(for type: AttributeType) -> StoredValue {
        switch (self, type) {
        case (.double(let number), _) where number == 0:
            return .double(0)
        case (.string(let text), .codable):
            guard let document = try? JSONDocument(text) else { return self }
            return .string(JSONValue(document.root).text)
        case (.composite(let values), .composite(let parts)) where values.count == parts.count:
            return .composite(zip(values, parts).map { $0.normalized(for: $1.type) })
        default:
            return widened(to: type)
        }
    }
}

extension ValidationRule {
    fileprivate func normalized(for type: AttributeType) -> ValidationRule {
        guard case .range(let minimum, let maximum) = self else { return self }
        return .range(minimum: minimum?.normalized(for: type), maximum: maximum?.normalized(for: type))
    }

    fileprivate var sortingText: String {
        switch self {
        case .range: "1"
        case .length: "2"
        case .pattern(let pattern): "3" + pattern
        }
    }
}

extension IndexDescription {
    fileprivate var sortingText: String {
        (elements.map { ($0.isDescending ? "-" : "") + $0.property } + [predicate ?? ""]).joined(
            separator: ",")
    }
}

extension Array where Element: Hashable {
    fileprivate var withoutDuplicates: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
