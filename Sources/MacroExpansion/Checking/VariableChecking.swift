import SwiftDiagnostics
import SwiftSyntax

/// Finds errors in a variable of an entity or composite: in its declaration, and in its type and value if the declaration is valid.
struct VariableChecking {
    private let declaration: VariableDeclSyntax
    private let markers: [PropertyMarker]
    private let name: String
    private let isPart: Bool

    /// - Parameter isPart: Whether the variable belongs to a composite.
    init(_ declaration: VariableDeclSyntax, isPart: Bool = false) {
        self.isPart = isPart
        self.declaration = declaration
        markers = declaration.attributes.markers
        name = declaration.bindings.names
    }

    func mistakes() -> [Diagnostic] {
        guard declaration.isStoredInInstance else { return markersOnWhatIsNotStored() }
        let ofDeclaration =
            severalNames() + constant() + missingType() + observers() + modifiers() + repeatedMarkers()
            + nameItself() + markers.flatMap { ArgumentChecking($0.syntax).mistakes() }
        guard ofDeclaration.isEmpty, let property = EntityProperty(declaration) else { return ofDeclaration }
        let ofProperty = PropertyChecking(property).mistakes()
        // A part's initial value isn't checked, because Swift's memberwise initializer uses it, not the model.
        return ofProperty.isEmpty && !isPart ? DefaultChecking(property).mistakes() : ofProperty
    }

    private func markersOnWhatIsNotStored() -> [Diagnostic] {
        markers.map { marker in
            let kind = marker.kind.rawValue
            let mistake: Mistake =
                declaration.isTypeProperty ? .typeProperty(name, marker: kind) : .computed(name, marker: kind)
            return Diagnostic(mistake, at: marker.syntax, fix: .remove(marker.syntax, from: declaration))
        }
    }

    private func severalNames() -> [Diagnostic] {
        if declaration.bindings.count > 1, let second = declaration.bindings.dropFirst().first {
            return [Diagnostic(.severalNames(isPart: isPart), at: second.pattern)]
        }
        guard let pattern = declaration.bindings.first?.pattern, !pattern.is(IdentifierPatternSyntax.self)
        else { return [] }
        return [Diagnostic(.severalNames(isPart: isPart), at: pattern)]
    }

    private func constant() -> [Diagnostic] {
        guard !declaration.isVariable, !isPart else { return [] }
        let specifier = declaration.bindingSpecifier
        let fix = FixIt.replace(specifier, by: "var", saying: "Make it 'var'")
        return [Diagnostic(.constant(name), at: specifier, fix: fix)]
    }

    private func missingType() -> [Diagnostic] {
        guard let binding = declaration.singleBinding, binding.typeAnnotation == nil,
            let pattern = binding.pattern.as(IdentifierPatternSyntax.self)
        else { return [] }
        let fix = binding.initializer?.value.evidentType.map { type in
            FixIt.replace(
                pattern.identifier, by: "\(pattern.identifier.text): \(type)", saying: "Add the type \(type)")
        }
        return [Diagnostic(.missingType(name), at: pattern, fix: fix)]
    }

    private func observers() -> [Diagnostic] {
        // The parts of a struct keep their storage, so observers work.
        if isPart { return [] }
        return (declaration.singleBinding?.accessorBlock?.observers ?? []).map { observer in
            let specifier = observer.accessorSpecifier
            return Diagnostic(.observed(name, observer: specifier.text), at: specifier)
        }
    }

    private func modifiers() -> [Diagnostic] {
        declaration.modifiers.compactMap { modifier in
            switch modifier.name.tokenKind {
            case .keyword(.override):
                Diagnostic(.overridden(name), at: modifier)
            case .keyword(.lazy), .keyword(.weak), .keyword(.unowned):
                Diagnostic(
                    .modified(name, modifier: modifier.name.text, isPart: isPart), at: modifier,
                    fix: remove(modifier))
            default: nil
            }
        }
    }

    private func remove(_ modifier: DeclModifierSyntax) -> FixIt {
        let kept = declaration.modifiers.filter { $0.id != modifier.id }
        let text = declaration.with(\.modifiers, kept).trimmedDescription
        return .replace(declaration, by: text, saying: "Remove '\(modifier.name.text)'")
    }

    private func repeatedMarkers() -> [Diagnostic] {
        guard let first = markers.first else { return [] }
        return markers.dropFirst().map { marker in
            let mistake: Mistake =
                marker.kind == first.kind
                ? .repeatedMarker(name, marker.kind.rawValue)
                : .twoMarkers(name, first.kind.rawValue, marker.kind.rawValue)
            return Diagnostic(mistake, at: marker.syntax, fix: .remove(marker.syntax, from: declaration))
        }
    }

    private func nameItself() -> [Diagnostic] {
        guard let pattern = declaration.singleBinding?.pattern, pattern.is(IdentifierPatternSyntax.self)
        else { return [] }
        if !ReservedNames.isShared(name) { return [Diagnostic(.invalidName(name), at: pattern)] }
        let reserved = isPart ? ReservedNames.parts : ReservedNames.properties
        return reserved.contains(name)
            ? [Diagnostic(.reservedName(name, isPart: isPart), at: pattern)] : []
    }
}

extension ExprSyntax {
    /// The type of a literal or an initializer call; nil for other expressions, whose types only the compiler knows.
    fileprivate var evidentType: String? {
        switch kind {
        case .integerLiteralExpr: "Int"
        case .floatLiteralExpr: "Double"
        case .booleanLiteralExpr: "Bool"
        case .stringLiteralExpr: "String"
        case .prefixOperatorExpr: self.as(PrefixOperatorExprSyntax.self)?.expression.evidentType
        case .functionCallExpr: calledType
        default: trimmedDescription == "Date.now" ? "Date" : nil
        }
    }

    /// The type whose initializer is called, as in `UUID()`.
    private var calledType: String? {
        let callee = self.as(FunctionCallExprSyntax.self)?.calledExpression
        guard let name = callee?.as(DeclReferenceExprSyntax.self)?.baseName.text,
            name.first?.isUppercase == true
        else { return nil }
        return name
    }
}
