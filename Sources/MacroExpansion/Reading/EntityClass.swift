import SwiftSyntax

/// The declaration of an entity.
struct EntityClass {
    /// The `@Entity` attribute of the class.
    let attribute: AttributeSyntax
    let declaration: ClassDeclSyntax
    /// The properties, in the order of their declarations.
    let properties: [EntityProperty]

    init(_ declaration: ClassDeclSyntax, attribute: AttributeSyntax) {
        self.attribute = attribute
        self.declaration = declaration
        properties = declaration.memberBlock.members
            .compactMap { $0.decl.as(VariableDeclSyntax.self) }
            .filter(\.isVariable).compactMap(EntityProperty.init)
    }

    var name: String { declaration.name.text.withoutBackticks }

    /// The names of the static and class properties.
    var typeProperties: Set<String> {
        let variables = declaration.memberBlock.members.compactMap { $0.decl.as(VariableDeclSyntax.self) }
        return Set(
            variables.filter(\.isTypeProperty).flatMap { $0.bindings.map(\.pattern.trimmedDescription) })
    }

    /// The superclass; nil if it is `ManagedObject` itself.
    var superentity: String? {
        declaration.superclass.flatMap { $0.isManagedObject ? nil : $0.trimmedDescription }
    }

    /// The names of the properties in the order of their slots: sorted by their UTF-8 bytes.
    var sortedNames: [String] {
        properties.map(\.name).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Returns the index of a property in ``sortedNames``; nil if the class has no such property.
    func rank(of name: String) -> Int? {
        sortedNames.firstIndex(of: name)
    }
}

extension ClassDeclSyntax {
    /// The first type of the inheritance clause; nil if it is a well-known protocol.
    var superclass: TypeSyntax? {
        guard let first = inheritanceClause?.inheritedTypes.first?.type,
            !StandardTypes.protocols.contains(first.trimmedDescription), !first.is(AttributedTypeSyntax.self)
        else { return nil }
        return first
    }

    /// Whether `@Entity` can be applied to the class.
    var isEntityClass: Bool { superclass != nil && genericParameterClause == nil }
}

extension TypeSyntax {
    var isManagedObject: Bool {
        ["ManagedObject", "ContextCore.ManagedObject"].contains(trimmedDescription)
    }
}
