import SwiftSyntax

/// Writes the members that `@Entity` adds to a class.
struct EntityText {
    private let entity: EntityClass
    private let access: AccessLevel

    init(_ entity: EntityClass, access: AccessLevel) {
        self.entity = entity
        self.access = access
    }

    /// The members, in the order in which they read best.
    var members: [String] {
        [name, slotNames, slotCount, description] + (isAbstract ? [] : [initialiser])
    }

    private var name: String {
        let given = argument("name") ?? "\"\(entity.name)\""
        return "\(access.overrideModifier)override class var entityName: String { \(given) }"
    }

    private var slotNames: String {
        let own = "[\(entity.sortedNames.map { "\"\($0)\"" }.joined(separator: ", "))]"
        let all = entity.superentity.map { "\($0).slotNames + \(own)" } ?? own
        return "\(access.overrideModifier)override class var slotNames: [String] { \(all) }"
    }

    private var slotCount: String {
        let own = "\(entity.properties.count)"
        let all = entity.superentity.map { "\($0).slotCount + \(own)" } ?? own
        return "\(access.overrideModifier)override class var slotCount: Int { \(all) }"
    }

    private var description: String {
        """
        \(access.overrideModifier)override class var entityDescription: EntityDescription {
            EntityDescription(
                \(descriptionArguments.joined(separator: ",\n        ")))
        }
        """
    }

    private var descriptionArguments: [String] {
        let properties = entity.properties.filter(\.isSound).map { "            \(PropertyText($0).text),\n" }
            .joined()
        return [
            "of: \(entity.declaration.name.text).self",
            entity.superentity.map { "inheriting: \($0).self" },
            argument("isAbstract").map { "isAbstract: \($0)" },
            "properties: [\n\(properties)        ]",
            argument("indexes").map { "indexes: \($0)" },
            argument("unique").map { "uniqueConstraints: \($0)" },
            argument("renamedFrom").map { "renamingIdentifier: \($0)" },
            argument("hashModifier").map { "versionHashModifier: \($0)" },
        ].compactMap(\.self)
    }

    private var initialiser: String {
        let given = entity.properties.filter(isParameter)
        let assignments = given.map { "\n    self.\($0.identifier) = \($0.identifier)" }
        return """
            /// Inserts a new object into a context.
            \(access.memberModifier)convenience init(\(parameters(for: given))) {
                self.init(insertingInto: context)\(assignments.joined())
            }
            """
    }

    private func parameters(for properties: [EntityProperty]) -> String {
        let texts =
            ["in context: ObjectContext"]
            + properties.map { property in
                let initial = InitialText(property).parameterDefault.map { " = \($0)" } ?? ""
                return "\(property.identifier): \(property.type.text)\(initial)"
            }
        let line = texts.joined(separator: ", ")
        return line.count <= 70 ? line : "\n    \(texts.joined(separator: ",\n    "))\n"
    }

    /// Whether the initialiser takes a value for a property.
    ///
    /// One that fewer can see than the class, and that has a default, stays the class's own affair.
    private func isParameter(_ property: EntityProperty) -> Bool {
        guard !property.isDerived, !property.isTransient else { return false }
        let own = AccessLevel(property.declaration.modifiers) ?? .internal
        let isHidden = min(own, .public) < min(access, .public)
        return !isHidden || InitialText(property).parameterDefault == nil
    }

    private var isAbstract: Bool { argument("isAbstract") == "true" }

    private func argument(_ label: String) -> String? {
        entity.attribute.argument(label)?.trimmedDescription
    }
}

extension EntityProperty {
    /// Whether nothing is wrong with it; what is wrong has been reported, and need not fail to compile as well.
    fileprivate var isSound: Bool { VariableChecking(declaration).mistakes().isEmpty }
}
