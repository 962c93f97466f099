import SwiftSyntax

/// The parameters of the initializer that `@Entity` generates, and its access level.
struct InitializerParameters {
    /// The properties that are parameters, in the order of their declarations.
    let properties: [EntityProperty]
    /// The access level of the initializer: at most that of the class and of each property that is a parameter.
    private let level: AccessLevel
    private let access: AccessLevel
    private let isExported: Bool

    init(of entity: EntityClass, access: AccessLevel, isExported: Bool) {
        self.access = access
        self.isExported = isExported
        let classLevel = max(min(access, .public), .fileprivate)
        properties = entity.properties.filter { Self.isParameter($0, classLevel) }
        level = min(classLevel, properties.map(\.access).min() ?? classLevel)
    }

    /// The access modifier of the initializer.
    var modifier: String {
        level < max(min(access, .public), .fileprivate) ? level.exactModifier : access.memberModifier
    }

    /// The parameter list.
    ///
    /// The context is borrowed, because an initializer consumes its arguments by default and would retain the context for each object.
    var text: String {
        let indirect = Set(indirectDefaults.map(\.name))
        let texts =
            ["in context: borrowing ObjectContext"]
            + properties.map { property in
                let isIndirect = indirect.contains(property.identifier)
                let initial = isIndirect ? "InitialValues.\(property.identifier)" : Self.initial(of: property)
                return "\(property.identifier): \(property.type.text)" + (initial.map { " = \($0)" } ?? "")
            }
        let line = texts.joined(separator: ", ")
        return line.count <= 80 ? line : "\n    \(texts.joined(separator: ",\n    "))\n"
    }

    /// The defaults that are generated as members of `InitialValues`, because their expressions may not be visible to other modules.
    var indirectDefaults: [(name: String, type: String, value: String)] {
        guard isExported, level >= .public else { return [] }
        return properties.compactMap { property in
            let initial = DefaultValueText(property)
            guard !initial.isVisibleToOtherModules, let value = Self.initial(of: property) else { return nil }
            return (property.identifier, property.type.text, value)
        }
    }

    /// Returns the default of a property's parameter.
    ///
    /// A placeholder that compiles replaces an invalid default, so the compiler reports only the error that the macro has found.
    private static func initial(of property: EntityProperty) -> String? {
        DefaultChecking(property).diagnostics().isEmpty
            ? DefaultValueText(property).parameterDefault : "{ preconditionFailure() }()"
    }

    /// Whether a property is a parameter of the initializer.
    ///
    /// A property that is less visible than the class and has a default is omitted.
    private static func isParameter(_ property: EntityProperty, _ classLevel: AccessLevel) -> Bool {
        guard !property.isDerived, !property.isTransient else { return false }
        return property.access >= classLevel || DefaultValueText(property).parameterDefault == nil
    }
}

extension EntityProperty {
    /// The access level of the property, at most public.
    fileprivate var access: AccessLevel {
        min(AccessLevel(declaration.modifiers) ?? .internal, .public)
    }
}
