import SwiftSyntax

/// A stored property that an entity, or a composite, keeps.
struct EntityProperty {
    let declaration: VariableDeclSyntax
    /// The name as code writes it, with backticks where it is a keyword.
    let identifier: String
    let type: PropertyType
    let initialValue: ExprSyntax?
    let markers: [PropertyMarker]

    /// Reads a declaration; nil for what is never kept: static, computed and unnamed properties, and those without a type.
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

    /// The name as the model knows it.
    var name: String { identifier.withoutBackticks }

    var marker: PropertyMarker? { markers.first }

    var isDerived: Bool { marker?.kind == .derived }
    var isTransient: Bool { marker?.kind == .transient }

    /// Whether the value is kept as JSON.
    var isCodable: Bool { marker?.option("codable") != nil }

    /// The transformer that stands between property and store, as an expression.
    var transformer: String? {
        let call = marker?.option("transformable")?.as(FunctionCallExprSyntax.self)
        return call?.arguments.first?.expression.trimmedDescription
    }

    /// Whether it is a relationship to many objects.
    var isToMany: Bool { type.isToMany && !isCodable && transformer == nil }

    /// What a new object's property begins with, where that is said.
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

    /// Whether its value lives in the object itself, or goes when nobody else holds it.
    var isUnkeepable: Bool {
        modifiers.contains {
            [.keyword(.lazy), .keyword(.weak), .keyword(.unowned)].contains($0.name.tokenKind)
        }
    }

    /// Whether each instance has storage for it: it is neither static nor computed.
    var isStoredInInstance: Bool {
        !isTypeProperty && bindings.allSatisfy { $0.accessorBlock?.isComputed != true }
    }
}

extension AccessorBlockSyntax {
    /// Whether it has anything but observers.
    var isComputed: Bool { observers.isEmpty }

    /// The observers `willSet` and `didSet`.
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
