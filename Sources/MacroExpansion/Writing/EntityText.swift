import SwiftSyntax

/// Generates the members that `@Entity` adds to a class.
struct EntityText {
    private let entity: EntityClass
    private let access: AccessLevel
    private let isExported: Bool

    /// - Parameter isExported: Whether other modules can see the class.
    init(_ entity: EntityClass, access: AccessLevel, isExported: Bool) {
        self.entity = entity
        self.access = access
        self.isExported = isExported
    }

    /// The generated members.
    var members: [String] {
        overrides.filter { !entity.typeProperties.contains($0.name) }.map(\.text)
            + (isAbstract || declaresInitializer ? [] : [initialValues, initializerText].compactMap(\.self))
    }

    /// The overrides by name.
    ///
    /// If the class declares one of these members itself, that is reported as an error, and the member isn't generated.
    private var overrides: [(name: String, text: String)] {
        [
            ("entityName", name), ("slotNames", slotNames), ("slotCount", slotCount),
            ("entityDescription", description),
        ]
    }

    /// Whether the class declares an initializer with the labels of the generated one.
    private var declaresInitializer: Bool {
        let labels = ["in"] + parameters.properties.map(\.name)
        return entity.declaration.memberBlock.members.contains {
            $0.decl.as(InitializerDeclSyntax.self)?.labels == labels
        }
    }

    private var name: String {
        let given =
            entity.attribute.argument("name").flatMap { $0.isStaticString ? $0.trimmedDescription : nil }
            ?? "\"\(entity.name)\""
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
        let properties = entity.properties.filter(\.isValid).map { "            \(PropertyText($0).text),\n" }
            .joined()
        return [
            "of: \(entity.declaration.name.text).self",
            entity.superentity.map { "inheriting: \($0).self" },
            argument("isAbstract").map { "isAbstract: \($0)" },
            entity.mayHaveDeletionHooks ? nil : "hasDeletionHooks: false",
            "properties: [\n\(properties)        ]",
            argument("indexes").map { "indexes: \($0)" },
            argument("unique").map { "uniqueConstraints: \($0)" },
            argument("renamedFrom").map { "renamingIdentifier: \($0)" },
            argument("hashModifier").map { "versionHashModifier: \($0)" },
        ].compactMap(\.self)
    }

    private var initializerText: String {
        let assignments = parameters.properties.map { "\n    self.\($0.identifier) = \($0.identifier)" }
        return """
            /// Inserts a new object into a context.
            \(parameters.modifier)convenience init(\(parameters.text)) {
                self.init(insertingInto: context)\(assignments.joined())
            }
            """
    }

    /// The declaration of `InitialValues`, with the defaults whose expressions other modules can't see; nil if there are none.
    private var initialValues: String? {
        let values = parameters.indirectDefaults
        guard !values.isEmpty else { return nil }
        let members = values.map { name, type, value in
            "    @usableFromInline static var \(name): \(type) { \(value) }"
        }
        return """
            /// The default values of the initializer's arguments, for modules that can't see the expressions.
            @usableFromInline enum InitialValues {
            \(members.joined(separator: "\n"))
            }
            """
    }

    private var parameters: InitializerParameters {
        InitializerParameters(of: entity, access: access, isExported: isExported)
    }

    private var isAbstract: Bool { argument("isAbstract") == "true" }

    private func argument(_ label: String) -> String? {
        entity.attribute.argument(label)?.trimmedDescription
    }
}

extension EntityProperty {
    /// Whether the property is valid.
    ///
    /// Invalid properties are omitted, because their errors are reported, and because their code might not compile.
    fileprivate var isValid: Bool { VariableChecking(declaration).diagnostics().isEmpty }
}
