import ContextCore

/// Makes tables of a model's entities, properties, and relationships.
enum ModelTables {
    static func entities(of model: ObjectModel) -> RowSet {
        var rows = RowSet([
            .init("entity"), .init("superentity"), .init("abstract"),
            .init("attributes", isRightAligned: true),
            .init("relationships", isRightAligned: true), .init("unique"),
            .init("indexes", isRightAligned: true),
        ])
        for layout in model.layouts {
            let description = layout.description
            let unique = description.uniqueConstraints.map { $0.properties.joined(separator: ", ") }
            rows.append([
                .string(layout.name), description.superentityName.map { .string($0) } ?? .none,
                .flag(layout.isAbstract), .count(description.attributes.count),
                .count(description.relationships.count),
                RowSet.Cell(text: unique.joined(separator: "; "), json: .array(unique.map(JSONValue.string))),
                .count(description.indexes.count),
            ])
        }
        return rows
    }

    static func properties(of entity: EntityLayout, in model: ObjectModel) -> RowSet {
        var rows = RowSet([
            .init("property"), .init("type"), .init("optional"), .init("default"), .init("inverse"),
            .init("rules"),
        ])
        for property in entity.properties {
            switch property.kind {
            case .attribute(let attribute): rows.append(cells(attribute))
            case .relationship(let relationship): rows.append(cells(relationship.description))
            }
        }
        return rows
    }

    private static func cells(_ attribute: AttributeDescription) -> [RowSet.Cell] {
        [
            .string(attribute.name), .string(attribute.type.title + storage(attribute.storage)),
            .flag(attribute.isOptional), attribute.defaultValue.map { .string(text($0)) } ?? .none, .none,
            .string(attribute.rules.map(text).joined(separator: "; ")),
        ]
    }

    private static func cells(_ relationship: RelationshipDescription) -> [RowSet.Cell] {
        [
            .string(relationship.name), .string(target(relationship)), .flag(relationship.isOptional), .none,
            relationship.inverseName.map { .string($0) } ?? .none,
            .string("delete: \(relationship.deleteRule.rawValue)"),
        ]
    }

    static func relationships(of model: ObjectModel) -> RowSet {
        var rows = RowSet(
            [
                .init("entity"), .init("relationship"), .init("destination"),
                .init("inverse"), .init("optional"), .init("delete rule", key: "deleteRule"),
            ], emptyText: "no relationships")
        for layout in model.layouts {
            for relationship in layout.description.relationships {
                rows.append([
                    .string(layout.name), .string(relationship.name), .string(target(relationship)),
                    relationship.inverseName.map { .string($0) } ?? .none, .flag(relationship.isOptional),
                    .string(relationship.deleteRule.rawValue),
                ])
            }
        }
        return rows
    }

    /// `Player`, `many Player` or `ordered Player`.
    private static func target(_ relationship: RelationshipDescription) -> String {
        let prefix = relationship.isToMany ? relationship.isOrdered ? "ordered " : "many " : ""
        return prefix + relationship.destinationName
    }

    private static func storage(_ storage: AttributeStorage) -> String {
        switch storage {
        case .stored: ""
        case .transient: ", transient"
        case .derived: ", derived"
        }
    }

    private static func text(_ value: AttributeDefault) -> String {
        switch value {
        case .value(let value): ValueText.text(value)
        case .now: "now"
        case .newUUID: "new UUID"
        }
    }

    private static func text(_ rule: ValidationRule) -> String {
        switch rule {
        case .range(let minimum, let maximum):
            "range \(minimum.map(ValueText.text) ?? "")…\(maximum.map(ValueText.text) ?? "")"
        case .length(let minimum, let maximum):
            "length \(minimum.map(String.init) ?? "")…\(maximum.map(String.init) ?? "")"
        case .pattern(let pattern): "pattern \(pattern)"
        }
    }
}
