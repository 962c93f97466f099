import ContextCore

/// The Swift source of an attribute, or of a part of a composite.
struct AttributeSource {
    let attribute: AttributeDescription
    /// The name of the attribute with that of its entity.
    let place: String
    let types: GeneratedTypes
    /// Whether a unique constraint and an index consist of the attribute alone.
    var isUnique = false
    var isIndexed = false

    /// The declaration, and remarks about what it can't express.
    var source: (property: PropertySource, remarks: [GenerationRemark]) {
        switch attribute.storage {
        case .stored: stored
        case .derived(let derivation): derived(derivation)
        case .transient: transient
        }
    }

    private var stored: (PropertySource, [GenerationRemark]) {
        var remarks: [GenerationRemark] = []
        var property = PropertySource(comments: dateComments, declaration: declaration)
        var arguments = options
        if let name = types.transformerName(attribute) {
            arguments.insert(.text(".transformable(by: \(name).self)"), at: 0)
            if attribute.defaultValue != nil {
                remarks.append(
                    remark("the default isn't generated, because a transformed attribute has none in Swift."))
            }
            remarks.append(remark("\(name) passes the stored values on: replace its two functions."))
        } else if attribute.type == .codable {
            arguments.insert(.text(".codable"), at: 0)
            remarks.append(
                remark("the model doesn't contain the type of the value: replace \(GeneratedTypes.json)."))
        }
        if attribute.transformerName == nil, let initial = attribute.defaultValue {
            property.value = value(initial)
            if property.value == nil {
                remarks.append(
                    remark("the default isn't generated, because Swift's type can't represent it."))
            }
        }
        let labels = [
            attribute.renamingIdentifier.map { SwiftCode.labeled("renamedFrom:", literal($0)) },
            attribute.versionHashModifier.map { SwiftCode.labeled("hashModifier:", literal($0)) },
        ]
        arguments += labels.compactMap(\.self)
        property.marker = arguments.isEmpty ? nil : .call("@Attribute(", arguments, ")")
        remarks += boundRemarks
        property.comments += remarks.map(\.comment)
        return (property, remarks)
    }

    private func derived(_ derivation: Derivation) -> (PropertySource, [GenerationRemark]) {
        let labels = [
            attribute.renamingIdentifier.map { SwiftCode.call(".renamed(from: ", [literal($0)], ")") },
            attribute.versionHashModifier.map { SwiftCode.call(".hashModifier(", [literal($0)], ")") },
        ]
        let arguments = [.text(derivation.code)] + options + labels.compactMap(\.self)
        let remarks = boundRemarks
        return (
            PropertySource(
                comments: [derivation.comment] + remarks.map(\.comment),
                marker: .call("@Derived(", arguments, ")"), declaration: declaration),
            remarks
        )
    }

    private var transient: (PropertySource, [GenerationRemark]) {
        if attribute.type == .codable {
            let remark = remark(
                "“\(attribute.name)” is missing: a codable attribute can't be transient in Swift.")
            return (PropertySource(comments: [remark.comment]), [remark])
        }
        var remarks: [GenerationRemark] = []
        let initial = attribute.defaultValue.flatMap(value)
        let isPlain =
            options.isEmpty && attribute.renamingIdentifier == nil && attribute.versionHashModifier == nil
            && attribute.transformerName == nil
        if !isPlain { remarks.append(remark("its options aren't generated, because @Transient takes none.")) }
        if initial == nil, !attribute.isOptional {
            remarks.append(remark("it gets an initial value, because a transient attribute needs one."))
        }
        let property = PropertySource(
            comments: remarks.map(\.comment), marker: .text("@Transient"), declaration: declaration,
            value: initial ?? (attribute.isOptional ? nil : .text(".placeholder")))
        return (property, remarks)
    }

    private var declaration: String {
        "var \(SwiftText.name(attribute.name)): \(types.typeName(attribute))"
            + (attribute.isOptional ? "?" : "")
    }

    private func value(_ initial: AttributeDefault) -> SwiftCode? {
        switch initial {
        case .now: .text(".now")
        case .newUUID: .text("\(types.standard("UUID"))()")
        case .value(let value):
            SwiftValue(types: types)
                .expression(value, of: attribute.type, isOptional: attribute.isOptional)
        }
    }

    private func remark(_ message: String) -> GenerationRemark {
        GenerationRemark(place: place, message: message)
    }

    private func literal(_ text: String) -> SwiftCode { .text(SwiftText.literal(text)) }
}

extension AttributeSource {
    /// The options of the attribute, except for those that determine how its value is converted.
    private var options: [SwiftCode] {
        var options: [SwiftCode] = []
        if isUnique { options.append(.text(".unique")) }
        if isIndexed { options.append(.text(".indexed")) }
        if case .decimal(let precision, let scale) = attribute.type, (precision, scale) != (38, 10) {
            options.append(.text(".decimal(precision: \(precision), scale: \(scale))"))
        }
        options += attribute.rules.compactMap { ValidationRuleSource($0, of: attribute.type, types).code }
        if attribute.preservesValueOnDeletion { options.append(.text(".preserveValueOnDeletion")) }
        if let threshold = attribute.externalThreshold {
            options.append(
                .text(threshold == 65_536 ? ".externalStorage()" : ".externalStorage(over: \(threshold))"))
        }
        return options
    }

    private var boundRemarks: [GenerationRemark] {
        attribute.rules.contains { ValidationRuleSource($0, of: attribute.type, types).code == nil }
            ? [remark("the range isn't generated, because Swift's type can't represent its bounds.")] : []
    }

    /// Comments that say in the calendar which dates the microseconds of the source are.
    private var dateComments: [String] {
        var sentences = attribute.rules.compactMap { rule -> String? in
            guard case .range(let minimum, let maximum) = rule, attribute.type == .date else { return nil }
            let bounds = [minimum.map { "from \($0)" }, maximum.map { "until \($0)" }].compactMap(\.self)
            return "The date is in the range \(bounds.joined(separator: " "))."
        }
        if attribute.type == .date, case .value(let value) = attribute.defaultValue {
            sentences.append("The default is \(value).")
        }
        return sentences.map { "// " + $0 }
    }
}
