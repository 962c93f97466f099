import SwiftSyntax

/// The parameters of the initialiser that `@Entity` writes, and how far it can be seen with them.
struct InitialiserParameters {
    /// The properties that it takes, in the order of their declarations.
    let properties: [EntityProperty]
    /// How far the initialiser can be seen: as far as the class, and no farther than a property that must be given.
    private let reach: AccessLevel
    private let access: AccessLevel
    private let isExported: Bool

    init(of entity: EntityClass, access: AccessLevel, isExported: Bool) {
        self.access = access
        self.isExported = isExported
        let ofClass = max(min(access, .public), .fileprivate)
        properties = entity.properties.filter { Self.takes($0, ofClass) }
        reach = min(ofClass, properties.map(\.access).min() ?? ofClass)
    }

    /// What stands before the initialiser.
    var modifier: String {
        reach < max(min(access, .public), .fileprivate) ? reach.exactModifier : access.memberModifier
    }

    /// What stands between its parentheses.
    ///
    /// The context is borrowed: an initialiser owns its arguments otherwise, and would count the context up and down for each object.
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

    /// The defaults that go by way of a member that other modules may use: their own parts may not be for other modules' eyes.
    var indirectDefaults: [(name: String, type: String, value: String)] {
        guard isExported, reach >= .public else { return [] }
        return properties.compactMap { property in
            let initial = InitialText(property)
            guard !initial.isSeenByAll, let value = Self.initial(of: property) else { return nil }
            return (property.identifier, property.type.text, value)
        }
    }

    /// The default of a property's parameter.
    ///
    /// One with a mistake has been reported, and gets another that compiles, so that the report stands alone.
    private static func initial(of property: EntityProperty) -> String? {
        DefaultChecking(property).mistakes().isEmpty
            ? InitialText(property).parameterDefault : "{ preconditionFailure() }()"
    }

    /// Whether the initialiser takes a value for a property.
    ///
    /// One that fewer can see than the class, and that has a default, stays the class's own affair.
    private static func takes(_ property: EntityProperty, _ ofClass: AccessLevel) -> Bool {
        guard !property.isDerived, !property.isTransient else { return false }
        return property.access >= ofClass || InitialText(property).parameterDefault == nil
    }
}

extension EntityProperty {
    /// How far the property can be seen, wherever its class can be.
    fileprivate var access: AccessLevel {
        min(AccessLevel(declaration.modifiers) ?? .internal, .public)
    }
}
