import Foundation

@testable import StoreAdmin

/// Writes models as the archives that Core Data's model compiler makes.
struct ModelArchiveWriter {
    private var builder = KeyedArchiveBuilder()
    private var entities: [String: PropertyListValue] = [:]
    private let model: CoreDataModel

    /// Returns the contents of a `.mom`.
    static func data(_ model: CoreDataModel) -> Data {
        var writer = ModelArchiveWriter(model)
        return writer.data()
    }

    /// Returns the contents of `Z_MODELCACHE`: the archive in blocks of the DEFLATE format that aren't compressed.
    static func cache(_ model: CoreDataModel) -> Data {
        var rest = data(model)[...]
        var bytes: [UInt8] = []
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let length = UInt16(block.count)
            bytes += [rest.isEmpty ? 1 : 0, UInt8(length & 255), UInt8(length >> 8)]
            bytes += [UInt8(~length & 255), UInt8(~length >> 8)] + block
        } while !rest.isEmpty
        return Data(bytes)
    }

    private init(_ model: CoreDataModel) { self.model = model }

    private mutating func data() -> Data {
        for entity in model.entities { entities[entity.name] = builder.reserve() }
        let all = model.entities.map { ($0.name, write($0)) }
        let configurations = model.configurations.sorted { $0.key < $1.key }.map { name, members in
            (name, builder.object("NSSet", ["NS.objects": .array(members.compactMap { entities[$0] })]))
        }
        let requests = model.fetchRequests.map { ($0, builder.object("NSFetchRequest", [:])) }
        let root = builder.object(
            "NSManagedObjectModel",
            [
                "NSEntities": builder.dictionary(all), "NSConfigurations": builder.dictionary(configurations),
                "NSFetchRequestTemplates": builder.dictionary(requests),
            ])
        return builder.data(root: root)
    }

    private mutating func write(_ entity: CoreDataModel.Entity) -> PropertyListValue {
        var properties = entity.attributes.map { ($0.name, write($0, entity.name)) }
        properties += entity.relationships.map { ($0.name, write($0, entity.name)) }
        properties += entity.fetchedProperties.map { name in
            (name, builder.object("NSFetchedPropertyDescription", ["NSPropertyName": builder.text(name)]))
        }
        let tuples = entity.uniqueConstraints.map { names in builder.array(names.map { builder.text($0) }) }
        let indexes = entity.indexes.map { write($0) }
        let info: [(String, PropertyListValue)] = entity.hasUserInfo ? [("key", builder.text("value"))] : []
        return builder.object(
            "NSEntityDescription",
            [
                "NSEntityName": builder.text(entity.name), "NSIsAbstract": .bool(entity.isAbstract),
                "NSSuperentity": entity.superentity.flatMap { entities[$0] } ?? KeyedArchiveBuilder.null,
                "NSProperties": builder.dictionary(properties), "NSUniqueTuples": builder.array(tuples),
                "NSFetchIndexDescriptions": builder.array(indexes), "NSUserInfo": builder.dictionary(info),
                "NSRenamingIdentifier": builder.text(entity.renamingIdentifier ?? entity.name),
                "NSVersionHashModifier": builder.text(entity.versionHashModifier),
            ], as: entities[entity.name])
    }

    private mutating func write(_ index: CoreDataModel.Index) -> PropertyListValue {
        let elements = index.elements.map { element in
            builder.object(
                "NSFetchIndexElementDescription",
                [
                    "NSPropertyName": builder.text(element.property),
                    "NSAscending": .bool(!element.isDescending),
                    "NSFetchIndexElementType": .int(index.isSpecial ? 1 : 0),
                ])
        }
        return builder.object(
            "NSFetchIndexDescription",
            [
                "NSIndexName": builder.text(index.name), "NSIndexElements": builder.array(elements),
                "NSPartialIndexPredicate": KeyedArchiveBuilder.null,
            ])
    }

    // MARK: Properties

    private mutating func write(_ attribute: CoreDataModel.Attribute, _ entity: String) -> PropertyListValue {
        var members: [String: PropertyListValue] = [
            "NSPropertyName": builder.text(attribute.name),
            "NSAttributeType": .int(Int64(attribute.type.rawValue)),
            "NSIsOptional": .bool(attribute.isOptional), "NSIsTransient": .bool(attribute.isTransient),
            "NSEntity": entities[entity] ?? KeyedArchiveBuilder.null,
            "NSValueTransformerName": builder.text(attribute.valueTransformer),
            "NSFlagsKey": .int(
                (attribute.allowsExternalStorage ? 4 : 0) + (attribute.preservesValueOnDeletion ? 16 : 0)),
            "NSRenamingIdentifier": builder.text(attribute.renamingIdentifier ?? attribute.name),
            "NSVersionHashModifier": builder.text(attribute.versionHashModifier),
        ]
        members["NSDefaultValue"] = defaultValue(attribute.defaultValue)
        members["NSValidationPredicates"] = builder.array(predicates(of: attribute))
        if let derivation = attribute.derivation {
            members["NSDerivationExpression"] = expression(derivation)
        }
        if !attribute.parts.isEmpty {
            members["NSElements"] = builder.array(attribute.parts.map { write($0, entity) })
        }
        let name = attribute.derivation == nil ? "NSAttributeDescription" : "NSDerivedAttributeDescription"
        return builder.object(
            name, members, superclasses: ["NSAttributeDescription", "NSPropertyDescription"])
    }

    private mutating func defaultValue(_ value: CoreDataModel.DefaultValue?) -> PropertyListValue {
        switch value {
        case nil: KeyedArchiveBuilder.null
        case .number(let number)?: builder.add(.real(number))
        case .text(let text)?: builder.object("NSMutableString", ["NS.string": .string(text)])
        case .date(let seconds)?: builder.object("NSDate", ["NS.time": .real(seconds)])
        case .other?: builder.object("App.Color", [:])
        }
    }

    private mutating func predicates(of attribute: CoreDataModel.Attribute) -> [PropertyListValue] {
        let isLength = attribute.type == .string
        var predicates: [PropertyListValue] = []
        for (kind, bound) in [(3 as Int64, attribute.minimum), (1, attribute.maximum)] {
            guard let bound else { continue }
            predicates.append(comparison(isLength ? keyPath("length") : myself(), kind, .real(bound)))
        }
        if let pattern = attribute.pattern {
            predicates.append(comparison(myself(), 6, builder.text(pattern)))
        }
        if attribute.hasOtherRules { predicates.append(comparison(myself(), 99, builder.text("x"))) }
        return predicates
    }

    private mutating func comparison(
        _ left: PropertyListValue, _ kind: Int64, _ constant: PropertyListValue
    ) -> PropertyListValue {
        let right = builder.object("NSConstantValueExpression", ["NSConstantValue": constant])
        let comparison = builder.object(
            "NSComparisonPredicate",
            [
                "NSLeftExpression": left, "NSRightExpression": right,
                "NSPredicateOperator": builder.object("NSPredicateOperator", ["NSOperatorType": .int(kind)]),
            ])
        return builder.object(
            "NSCompoundPredicate",
            ["NSCompoundPredicateType": .int(1), "NSSubpredicates": builder.array([comparison])])
    }

    private mutating func myself() -> PropertyListValue { builder.object("NSSelfExpression", [:]) }

    private mutating func keyPath(_ path: String) -> PropertyListValue {
        let specifier = builder.object("NSKeyPathSpecifierExpression", ["NSKeyPath": builder.text(path)])
        return builder.object(
            "NSKeyPathExpression",
            [
                "NSOperand": myself(), "NSSelectorName": builder.text("valueForKeyPath:"),
                "NSArguments": builder.array([specifier]),
            ], superclasses: ["NSFunctionExpression"])
    }

    /// Writes `now()`, `lowercase:(path)`, `items.@count`, `items.@sum.price`, or a path.
    private mutating func expression(_ text: String) -> PropertyListValue {
        func call(_ selector: String, _ path: String?) -> PropertyListValue {
            let arguments = path.map { [keyPath($0)] } ?? []
            return builder.object(
                "NSFunctionExpression",
                ["NSSelectorName": builder.text(selector), "NSArguments": builder.array(arguments)])
        }
        if text == "now()" { return call("now", nil) }
        if let colon = text.firstIndex(of: ":") {
            return call(String(text[...colon]), String(text[text.index(colon, offsetBy: 2)...].dropLast()))
        }
        let parts = text.split(separator: ".").map(String.init)
        if parts.count == 2, parts[1] == "@count" { return call("count:", parts[0]) }
        if parts.count == 3, parts[1].hasPrefix("@") {
            return call(parts[1].dropFirst() + ":", "\(parts[0]).\(parts[2])")
        }
        return keyPath(text)
    }

    private mutating func write(_ relationship: CoreDataModel.Relationship, _ entity: String)
        -> PropertyListValue
    {
        builder.object(
            "NSRelationshipDescription",
            [
                "NSPropertyName": builder.text(relationship.name),
                "NSIsOptional": .bool(relationship.isOptional),
                "NSIsTransient": .bool(relationship.isTransient),
                "NSIsOrdered": .bool(relationship.isOrdered),
                "NSEntity": entities[entity] ?? KeyedArchiveBuilder.null,
                "_NSDestinationEntityName": builder.text(relationship.destination),
                "_NSInverseRelationshipName": builder.text(relationship.inverse),
                "NSDeleteRule": .int(Int64(relationship.deleteRule.rawValue)),
                "NSMinCount": .int(Int64(relationship.minimumCount)),
                "NSMaxCount": .int(relationship.isToMany ? Int64(relationship.maximumCount) : 1),
                "NSRenamingIdentifier": builder.text(relationship.renamingIdentifier ?? relationship.name),
                "NSVersionHashModifier": builder.text(relationship.versionHashModifier),
            ], superclasses: ["NSPropertyDescription"])
    }
}
