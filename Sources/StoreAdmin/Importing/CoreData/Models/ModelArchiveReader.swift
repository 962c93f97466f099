import ContextCore
import Foundation

/// Reads a compiled model: the keyed archive of an `NSManagedObjectModel`, in a `.mom` file or in a store's `Z_MODELCACHE`.
struct ModelArchiveReader {
    private var budget = ModelBudget()

    /// Reads the model of an archive.
    static func model(_ archive: KeyedArchive) throws(FormatError) -> CoreDataModel {
        var reader = ModelArchiveReader()
        return try reader.model(archive)
    }

    private mutating func model(_ archive: KeyedArchive) throws(FormatError) -> CoreDataModel {
        guard let root = archive.root, root.isKind(of: "NSManagedObjectModel") else {
            throw FormatError("it is not a compiled model of Core Data")
        }
        var entities: [CoreDataModel.Entity] = []
        for object in root.entryObjects("NSEntities") { entities.append(try entity(object)) }
        var model = CoreDataModel(entities: entities.sortedByBytes(of: \.name))
        for (key, value) in root.object("NSConfigurations")?.entries ?? [] {
            guard let name = archive.resolved(key)?.string, let members = archive.object(value)?.elements
            else { continue }
            model.configurations[name] = members.compactMap(archive.object).compactMap {
                $0.string("NSEntityName")
            }
            .sortedByBytes(of: \.self)
        }
        model.fetchRequests = (root.object("NSFetchRequestTemplates")?.entries ?? [])
            .compactMap { archive.resolved($0.key)?.string }.sortedByBytes(of: \.self)
        try model.check()
        Self.removeInheritedProperties(&model)
        return model
    }

    /// Removes the copies of inherited properties and indexes, which some archives contain in each subentity.
    private static func removeInheritedProperties(_ model: inout CoreDataModel) {
        let declared = model
        for index in model.entities.indices {
            let ancestors = declared.lineage(of: model.entities[index].name).dropFirst()
            let inherited = Set(
                ancestors.compactMap(declared.entity).flatMap { entity in
                    entity.attributes.map(\.name) + entity.relationships.map(\.name)
                        + entity.fetchedProperties
                })
            let inheritedIndexes = ancestors.compactMap(declared.entity).flatMap(\.indexes).map(\.elements)
            model.entities[index].indexes.removeAll { inheritedIndexes.contains($0.elements) }
            model.entities[index].attributes.removeAll { inherited.contains($0.name) }
            model.entities[index].relationships.removeAll { inherited.contains($0.name) }
            model.entities[index].fetchedProperties.removeAll(where: inherited.contains)
        }
    }

    // MARK: Entities

    private mutating func entity(_ object: ArchivedObject) throws(FormatError) -> CoreDataModel.Entity {
        try budget.spend()
        guard let name = object.string("NSEntityName"), !name.isEmpty else {
            throw FormatError("an entity of the compiled model has no name")
        }
        var entity = CoreDataModel.Entity(name: name)
        entity.superentity = object.object("NSSuperentity")?.string("NSEntityName")
        entity.isAbstract = object.bool("NSIsAbstract")
        entity.renamingIdentifier = Self.renamingIdentifier(of: object, name)
        entity.versionHashModifier = object.string("NSVersionHashModifier")
        let properties = object.entryObjects("NSProperties")
        for property in properties {
            if property.isKind(of: "NSAttributeDescription") {
                entity.attributes.append(try attribute(property, depth: 0))
            } else if property.isKind(of: "NSRelationshipDescription") {
                entity.relationships.append(try relationship(property))
            } else if property.isKind(of: "NSFetchedPropertyDescription") {
                entity.fetchedProperties.append(try Self.name(of: property))
            }
        }
        entity.hasUserInfo = (properties + [object]).contains {
            $0.object("NSUserInfo")?.entries?.isEmpty == false
        }
        entity.uniqueConstraints = Self.namesOfTuples(object.object("NSUniqueTuples"))
        entity.indexes = Self.indexes(of: object, properties)
        entity.attributes = entity.attributes.sortedByBytes(of: \.name)
        entity.relationships = entity.relationships.sortedByBytes(of: \.name)
        return entity
    }

    private static func index(_ object: ArchivedObject, named name: String) -> CoreDataModel.Index {
        let elements = object.objects("NSIndexElements")
        return CoreDataModel.Index(
            name: name,
            elements: elements.compactMap { element in
                element.string("NSPropertyName").map {
                    .init(property: $0, isDescending: !element.bool("NSAscending"))
                }
            },
            isSpecial: object.value("NSPartialIndexPredicate") != nil
                || elements.contains {
                    $0.string("NSPropertyName") == nil || $0.int("NSFetchIndexElementType") ?? 0 != 0
                })
    }

    private static func indexes(of object: ArchivedObject, _ properties: [ArchivedObject]) -> [CoreDataModel
        .Index]
    {
        let described = object.objects("NSFetchIndexDescriptions").compactMap { index in
            index.string("NSIndexName").map { self.index(index, named: $0) }
        }
        let compound = namesOfTuples(object.object("NSCompoundIndexes")).map { names in
            CoreDataModel.Index(
                name: names.joined(separator: "_"), elements: names.map { .init(property: $0) })
        }
        let single = properties.filter { $0.bool("NSIsIndexed") }.compactMap { $0.string("NSPropertyName") }
            .map {
                CoreDataModel.Index(name: $0, elements: [.init(property: $0)])
            }
        // New versions of Xcode write older kinds of indexes also as descriptions.
        return (described + compound + single).reduce(into: []) { all, index in
            if !all.contains(where: { $0.elements == index.elements && $0.isSpecial == index.isSpecial }) {
                all.append(index)
            }
        }
    }

    /// Returns the names in an array of arrays of names or properties.
    private static func namesOfTuples(_ object: ArchivedObject?) -> [[String]] {
        guard let object else { return [] }
        return (object.elements ?? []).compactMap(object.archive.object).map { tuple in
            (tuple.elements ?? []).compactMap { element in
                object.archive.resolved(element)?.string
                    ?? object.archive.object(element)?.string("NSPropertyName")
            }
        }.filter { !$0.isEmpty }
    }

    // MARK: Properties

    private mutating func attribute(
        _ object: ArchivedObject, depth: Int
    ) throws(FormatError) -> CoreDataModel.Attribute {
        try budget.spend()
        let name = try Self.name(of: object)
        let number = object.int("NSAttributeType") ?? 0
        guard let type = CoreDataModel.AttributeType(rawValue: number) else {
            throw FormatError("the attribute \(name) has the unknown type \(number)")
        }
        var attribute = CoreDataModel.Attribute(name: name, type: type)
        attribute.isOptional = object.bool("NSIsOptional")
        attribute.isTransient = object.bool("NSIsTransient")
        attribute.defaultValue = Self.defaultValue(of: object)
        attribute.derivation = object.object("NSDerivationExpression").map {
            ArchivedExpression.text(of: $0) ?? ""
        }
        attribute.valueTransformer = object.string("NSValueTransformerName")
        let flags = object.int("NSFlagsKey") ?? 0
        attribute.allowsExternalStorage = flags & 4 != 0
        attribute.preservesValueOnDeletion = flags & 16 != 0
        for rule in object.objects("NSValidationPredicates") {
            try ArchivedExpression.addRule(rule, to: &attribute, depth: 0, &budget)
        }
        attribute.renamingIdentifier = Self.renamingIdentifier(of: object, name)
        attribute.versionHashModifier = object.string("NSVersionHashModifier")
        if type == .composite {
            guard depth < 8 else { throw FormatError("the composite \(name) is nested too deeply") }
            attribute.parts = try parts(of: object, depth)
        }
        return attribute
    }

    /// Returns the attributes of a composite, which are in the only member with an array of attributes.
    private mutating func parts(
        of object: ArchivedObject, _ depth: Int
    ) throws(FormatError) -> [CoreDataModel.Attribute] {
        for key in object.members.keys.sorted() {
            let elements = object.objects(key)
            guard !elements.isEmpty, elements.allSatisfy({ $0.isKind(of: "NSAttributeDescription") }) else {
                continue
            }
            var parts: [CoreDataModel.Attribute] = []
            for element in elements { parts.append(try attribute(element, depth: depth + 1)) }
            return parts.sortedByBytes(of: \.name)
        }
        return []
    }

    private static func defaultValue(of object: ArchivedObject) -> CoreDataModel.DefaultValue? {
        guard let reference = object.members["NSDefaultValue"], let value = object.archive.resolved(reference)
        else {
            return nil
        }
        switch value {
        case .bool(let value): return .number(value ? 1 : 0)
        case .int(let number): return .number(Double(number))
        case .real(let number): return .number(number)
        case .date(let seconds): return .date(seconds)
        case .string(let text): return .text(text)
        default: break
        }
        guard let archived = object.archive.object(reference) else { return .other }
        if let text = archived.value("NS.string")?.string { return .text(text) }
        if let seconds = archived.number("NS.time") { return .date(seconds) }
        if let decimal = archived.decimal { return .number(NSDecimalNumber(decimal: decimal).doubleValue) }
        return .other
    }

    private mutating func relationship(_ object: ArchivedObject) throws(FormatError)
        -> CoreDataModel.Relationship
    {
        try budget.spend()
        let name = try Self.name(of: object)
        guard
            let destination = object.string("_NSDestinationEntityName")
                ?? object.object("NSDestinationEntity")?.string("NSEntityName")
        else { throw FormatError("the relationship \(name) has no destination") }
        var relationship = CoreDataModel.Relationship(name: name, destination: destination)
        relationship.inverse =
            object.string("_NSInverseRelationshipName")
            ?? object.object("NSInverseRelationship")?.string("NSPropertyName")
        let maximum = object.int("NSMaxCount") ?? 0
        relationship.isToMany = maximum != 1
        relationship.isOrdered = object.bool("NSIsOrdered") && relationship.isToMany
        relationship.isOptional = object.bool("NSIsOptional")
        relationship.isTransient = object.bool("NSIsTransient")
        relationship.deleteRule =
            object.int("NSDeleteRule").flatMap(CoreDataModel.DeleteRule.init) ?? .nullify
        if relationship.isToMany {
            relationship.minimumCount = max(0, object.int("NSMinCount") ?? 0)
            relationship.maximumCount = max(0, maximum)
        }
        relationship.renamingIdentifier = Self.renamingIdentifier(of: object, name)
        relationship.versionHashModifier = object.string("NSVersionHashModifier")
        return relationship
    }

    private static func name(of object: ArchivedObject) throws(FormatError) -> String {
        guard let name = object.string("NSPropertyName"), !name.isEmpty else {
            throw FormatError("a property of the compiled model has no name")
        }
        return name
    }

    private static func renamingIdentifier(of object: ArchivedObject, _ name: String) -> String? {
        object.string("NSRenamingIdentifier").flatMap { $0 == name || $0.isEmpty ? nil : $0 }
    }
}
