import SwiftSyntax

/// The declaration of a persistent property of an entity or composite.
struct EntityProperty {
    let declaration: VariableDeclSyntax
    /// The name as in the source, with backticks if it is a keyword.
    let identifier: String
    let type: PropertyType
    let initialValue: ExprSyntax?
    let markers: [PropertyMarker]

    /// Reads a declaration; nil if the property is static or computed, or has no single name or no explicit type.
    init?(_ declaration: VariableDeclSyntax) {
        guard declaration.isStoredInInstance, let binding = declaration.singleBinding,
            let pattern = binding.pattern.as(IdentifierPatternSyntax.self),
            let type = binding.typeAnnotation?.type
        else { return nil }
        self.declaration = declaration
        identifier = pattern.identifier.text
        self.type = PropertyType(type)
        initialValue = binding.initializer?.value
        markers = declaration.attributes.markers
    }

    /// The name in the model.
    var name: String { identifier.withoutBackticks }

    var marker: PropertyMarker? { markers.first }

    var isDerived: Bool { marker?.kind == .derived }
    var isTransient: Bool { marker?.kind == .transient }

    /// Whether the value is stored as JSON.
    var isCodable: Bool { marker?.option("codable") != nil }

    /// The expression of the transformer that converts the value for the store.
    var transformer: String? {
        let call = marker?.option("transformable")?.as(FunctionCallExprSyntax.self)
        return call?.arguments.first?.expression.trimmedDescription
    }

    /// Whether the property is a to-many relationship.
    var isToMany: Bool { type.isToMany && !isCodable && transformer == nil }

    /// The explicit default value of the property; nil if there is none, or if it is a nil literal.
    var defaultValue: ExprSyntax? {
        let expression = initialValue ?? marker?.argument("default")
        return expression.flatMap { $0.is(NilLiteralExprSyntax.self) ? nil : $0 }
    }
}

extension VariableDeclSyntax {
    var isVariable: Bool { bindingSpecifier.tokenKind == .keyword(.var) }

    var singleBinding: PatternBindingSyntax? {
        bindings.count == 1 ? bindings.first : nil
    }

    var isTypeProperty: Bool {
        modifiers.contains { [.keyword(.static), .keyword(.class)].contains($0.name.tokenKind) }
    }

    /// Whether the property is lazy, weak or unowned, which the macro's accessors don't support.
    var isLazyOrWeak: Bool {
        modifiers.contains {
            [.keyword(.lazy), .keyword(.weak), .keyword(.unowned)].contains($0.name.tokenKind)
        }
    }

    /// Whether the property is a stored instance property.
    var isStoredInInstance: Bool {
        !isTypeProperty && bindings.allSatisfy { $0.accessorBlock?.isComputed != true }
    }
}

extension AccessorBlockSyntax {
    /// Whether there are accessors other than observers.
    var isComputed: Bool { observers.isEmpty }

    /// The `willSet` and `didSet` observers.
    var observers: [AccessorDeclSyntax] {
        guard case .accessors(let list) = accessors else { return [] }
        return list.filter {
            [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
        }
    }
}

extension String {
    var withoutBackticks: String {
        hasPrefix("`") && hasSuffix("`") && count > 2 ? String(dropFirst().dropLast()) : self
    }
}
