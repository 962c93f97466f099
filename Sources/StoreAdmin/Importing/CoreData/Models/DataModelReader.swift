import ContextCore

/// Reads the `contents` of an `.xcdatamodel`, the XML that Xcode's model editor writes.
struct DataModelReader {
    private let composites: [String: XMLTree]
    private var budget = ModelBudget()

    private init(composites: [String: XMLTree]) { self.composites = composites }

    /// Reads the model of a document.
    static func model(_ root: XMLTree) throws(FormatError) -> CoreDataModel {
        guard root.name == "model" else { throw FormatError("it is not a data model") }
        let composites = root.children(named: "composite").compactMap { element in
            element["name"].map { ($0, element) }
        }
        var reader = DataModelReader(
            composites: Dictionary(composites, uniquingKeysWith: { first, _ in first }))
        var entities: [CoreDataModel.Entity] = []
        for element in root.children(named: "entity") { entities.append(try reader.entity(element)) }
        var model = CoreDataModel(entities: entities.sortedByBytes(of: \.name))
        for element in root.children(named: "configuration") {
            model.configurations[try Self.name(of: element)] = element.children(named: "memberEntity")
                .compactMap { $0["name"] }.sortedByBytes(of: \.self)
        }
        model.fetchRequests = root.children(named: "fetchRequest").compactMap { $0["name"] }.sortedByBytes(
            of: \.self)
        try model.check()
        return model
    }

    private mutating func entity(_ element: XMLTree) throws(FormatError) -> CoreDataModel.Entity {
        try budget.spend()
        var entity = CoreDataModel.Entity(name: try Self.name(of: element))
        entity.superentity = element["parentEntity"]
        entity.isAbstract = Self.flag(element, "isAbstract")
        entity.renamingIdentifier = element["elementID"].flatMap { $0 == entity.name ? nil : $0 }
        entity.versionHashModifier = element["versionHashModifier"]
        for child in element.children {
            switch child.name {
            case "attribute": entity.attributes.append(try attribute(child, depth: 0))
            case "relationship": entity.relationships.append(try relationship(child))
            case "fetchedProperty": entity.fetchedProperties.append(try Self.name(of: child))
            case "fetchIndex": entity.indexes.append(try Self.index(child))
            case "compoundIndexes": entity.indexes += Self.compoundIndexes(child)
            case "uniquenessConstraints": entity.uniqueConstraints += Self.uniqueConstraints(child)
            default: break
            }
        }
        entity.indexes += element.children.filter { Self.flag($0, "indexed") }.compactMap { $0["name"] }.map {
            CoreDataModel.Index(name: $0, elements: [.init(property: $0)])
        }
        entity.hasUserInfo = (element.children + [element]).contains {
            $0.children(named: "userInfo").contains { !$0.children.isEmpty }
        }
        entity.attributes = entity.attributes.sortedByBytes(of: \.name)
        entity.relationships = entity.relationships.sortedByBytes(of: \.name)
        return entity
    }

    // MARK: Attributes

    private mutating func attribute(_ element: XMLTree, depth: Int) throws(FormatError)
        -> CoreDataModel.Attribute
    {
        try budget.spend()
        let name = try Self.name(of: element)
        var attribute = CoreDataModel.Attribute(name: name, type: try Self.type(of: element, name))
        attribute.isOptional = Self.flag(element, "optional")
        attribute.isTransient = Self.flag(element, "transient")
        attribute.defaultValue = Self.defaultValue(element, attribute.type)
        attribute.derivation = Self.flag(element, "derived") ? element["derivationExpression"] ?? "" : nil
        attribute.valueTransformer = element["valueTransformerName"].flatMap { $0.isEmpty ? nil : $0 }
        attribute.allowsExternalStorage = Self.flag(element, "allowsExternalBinaryDataStorage")
        attribute.preservesValueOnDeletion =
            Self.flag(element, "preserveAfterDeletion")
            || Self.flag(element, "preservesValueOnDeletionInPersistentHistory")
        attribute.minimum = (element["minValueString"] ?? element["minDateTimeInterval"]).flatMap {
            Double($0)
        }
        attribute.maximum = (element["maxValueString"] ?? element["maxDateTimeInterval"]).flatMap {
            Double($0)
        }
        attribute.pattern = element["regularExpressionString"]
        attribute.renamingIdentifier = element["elementID"].flatMap { $0 == name ? nil : $0 }
        attribute.versionHashModifier = element["versionHashModifier"]
        if attribute.type == .composite { attribute.parts = try parts(element, depth) }
        return attribute
    }

    private mutating func parts(_ element: XMLTree, _ depth: Int) throws(FormatError) -> [CoreDataModel
        .Attribute]
    {
        guard depth < 8, let name = element["composite"], let composite = composites[name] else {
            throw FormatError("the composite of the attribute \(element["name"] ?? "") is not in the model")
        }
        var parts: [CoreDataModel.Attribute] = []
        for child in composite.children(named: "attribute") {
            parts.append(try attribute(child, depth: depth + 1))
        }
        return parts.sortedByBytes(of: \.name)
    }

    private static let types: [String: CoreDataModel.AttributeType] = [
        "Integer 16": .int16, "Integer 32": .int32, "Integer 64": .int64, "Decimal": .decimal,
        "Double": .double,
        "Float": .float, "String": .string, "Boolean": .bool, "Date": .date, "Binary": .data, "UUID": .uuid,
        "URI": .uri, "Transformable": .transformable, "Object ID": .objectID, "Composite": .composite,
        "Undefined": .undefined,
    ]

    private static func type(
        of element: XMLTree, _ name: String
    ) throws(FormatError) -> CoreDataModel.AttributeType {
        guard let written = element["attributeType"] else { return .undefined }
        guard let type = types[written] else {
            throw FormatError("the attribute \(name) has the unknown type “\(written)”")
        }
        return type
    }

    private static func defaultValue(
        _ element: XMLTree, _ type: CoreDataModel.AttributeType
    ) -> CoreDataModel.DefaultValue? {
        if let text = element["defaultDateTimeInterval"] { return Double(text).map { .date($0) } }
        guard let text = element["defaultValueString"] else { return nil }
        switch type {
        case .int16, .int32, .int64, .decimal, .double, .float, .bool:
            return ["YES": .number(1), "NO": .number(0), "true": .number(1), "false": .number(0)][text]
                ?? Double(text).map { .number($0) }
        case .date: return Double(text).map { .date($0) }
        default: return .text(text)
        }
    }

    // MARK: Relationships

    private mutating func relationship(_ element: XMLTree) throws(FormatError) -> CoreDataModel.Relationship {
        let name = try Self.name(of: element)
        guard let destination = element["destinationEntity"] else {
            throw FormatError("the relationship \(name) has no destination")
        }
        var relationship = CoreDataModel.Relationship(name: name, destination: destination)
        relationship.inverse = element["inverseName"]
        relationship.isToMany = Self.flag(element, "toMany")
        relationship.isOrdered = Self.flag(element, "ordered") && relationship.isToMany
        relationship.isOptional = Self.flag(element, "optional")
        relationship.isTransient = Self.flag(element, "transient")
        switch element["deletionRule"] {
        case "Cascade": relationship.deleteRule = .cascade
        case "Deny": relationship.deleteRule = .deny
        case "No Action": relationship.deleteRule = .noAction
        default: relationship.deleteRule = .nullify
        }
        if relationship.isToMany {
            relationship.minimumCount = max(0, element["minCount"].flatMap { Int($0) } ?? 0)
            relationship.maximumCount = max(0, element["maxCount"].flatMap { Int($0) } ?? 0)
        }
        relationship.renamingIdentifier = element["elementID"].flatMap { $0 == name ? nil : $0 }
        relationship.versionHashModifier = element["versionHashModifier"]
        return relationship
    }

    // MARK: Indexes

    private static func index(_ element: XMLTree) throws(FormatError) -> CoreDataModel.Index {
        let elements = element.children(named: "fetchIndexElement")
        return CoreDataModel.Index(
            name: try name(of: element),
            elements: elements.compactMap { child in
                child["property"].map { .init(property: $0, isDescending: child["order"] == "descending") }
            },
            isSpecial: element["partialIndexPredicate"] != nil
                || elements.contains { child in
                    child["property"] == nil || child["type"] != "Binary"
                })
    }

    private static func compoundIndexes(_ element: XMLTree) -> [CoreDataModel.Index] {
        element.children(named: "compoundIndex").map { index in
            let properties = index.children(named: "index").compactMap { $0["value"] }
            return CoreDataModel.Index(
                name: properties.joined(separator: "_"), elements: properties.map { .init(property: $0) })
        }
    }

    private static func uniqueConstraints(_ element: XMLTree) -> [[String]] {
        element.children(named: "uniquenessConstraint").map { constraint in
            constraint.children(named: "constraint").compactMap { $0["value"] }
        }
    }

    private static func flag(_ element: XMLTree, _ name: String) -> Bool { element[name] == "YES" }

    private static func name(of element: XMLTree) throws(FormatError) -> String {
        guard let name = element["name"], !name.isEmpty else {
            throw FormatError("an element <\(element.name)> of the data model has no name")
        }
        return name
    }
}
