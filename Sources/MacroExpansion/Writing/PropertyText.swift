import SwiftSyntax

/// Generates the call that describes a property in the model: `.property("title", String.self, .unique)`.
struct PropertyText {
    private let property: EntityProperty

    init(_ property: EntityProperty) {
        self.property = property
    }

    var text: String {
        let head = ["\"\(property.name)\"", "\(property.type.text).self"]
        let tail: [String] =
            switch property.marker?.kind {
            case .relationship: relationshipArguments
            case .derived: (property.marker?.options ?? []).map(\.trimmedDescription)
            case .attribute, .transient, nil: attributeArguments
            }
        return ".\(function)(\((head + tail).joined(separator: ", ")))"
    }

    private var function: String {
        if property.isDerived { return "derived" }
        if property.isTransient { return "transient" }
        if property.isCodable { return "codable" }
        return property.transformer == nil ? "property" : "transformed"
    }

    private var attributeArguments: [String] {
        let encoding = ["codable", "transformable"]
        let options = (property.marker?.options ?? []).filter { !encoding.contains($0.memberName ?? "") }
        if let transformer = property.transformer {
            return ["by: \(transformer)"] + options.map(\.trimmedDescription) + labeledOptions
        }
        let initial = property.isToMany ? nil : DefaultValueText(property).description
        return [initial.map { "default: \($0)" }].compactMap(\.self) + options.map(\.trimmedDescription)
            + labeledOptions
    }

    private var labeledOptions: [String] {
        [
            argument("renamedFrom").map { ".renamed(from: \($0))" },
            argument("hashModifier").map { ".hashModifier(\($0))" },
        ].compactMap(\.self)
    }

    private var relationshipArguments: [String] {
        let inverse = property.marker?.argument("inverse")?.keyPathNames?.first
        return [
            inverse.map { "inverse: \"\($0)\"" },
            argument("deleteRule").map { "deleteRule: \($0)" },
            argument("minimumCount").map { "minimumCount: \($0)" },
            argument("maximumCount").map { "maximumCount: \($0)" },
            argument("renamedFrom").map { "renamingIdentifier: \($0)" },
            argument("hashModifier").map { "versionHashModifier: \($0)" },
        ].compactMap(\.self)
    }

    private func argument(_ label: String) -> String? {
        property.marker?.argument(label)?.trimmedDescription
    }
}
