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

    func diagnostics() -> [Diagnostic] {
        guard declaration.isStoredInInstance else { return misplacedMarkerDiagnostics() }
        let declarationDiagnostics =
            severalNamesDiagnostics() + constantDiagnostics() + missingTypeDiagnostics()
            + observerDiagnostics() + modifierDiagnostics() + repeatedMarkerDiagnostics()
            + nameDiagnostics() + markers.flatMap { ArgumentChecking($0.syntax).diagnostics() }
        guard declarationDiagnostics.isEmpty, let property = EntityProperty(declaration) else {
            return declarationDiagnostics
        }
        let propertyDiagnostics = PropertyChecking(property).diagnostics()
        // A part's initial value isn't checked, because Swift's memberwise initializer uses it, not the model.
        return propertyDiagnostics.isEmpty && !isPart
            ? DefaultChecking(property).diagnostics() : propertyDiagnostics
    }

    private func misplacedMarkerDiagnostics() -> [Diagnostic] {
        markers.map { marker in
            let kind = marker.kind.rawValue
            let mistake: MacroError =
                declaration.isTypeProperty ? .typeProperty(name, marker: kind) : .computed(name, marker: kind)
            return Diagnostic(mistake, at: marker.syntax, fix: .remove(marker.syntax, from: declaration))
        }
    }

    private func severalNamesDiagnostics() -> [Diagnostic] {
        if declaration.bindings.count > 1, let second = declaration.bindings.dropFirst().first {
            return [Diagnostic(.severalNames(isPart: isPart), at: second.pattern)]
        }
        guard let pattern = declaration.bindings.first?.pattern, !pattern.is(IdentifierPatternSyntax.self)
        else { return [] }
        return [Diagnostic(.severalNames(isPart: isPart), at: pattern)]
    }

    private func constantDiagnostics() -> [Diagnostic] {
        guard !declaration.isVariable, !isPart else { return [] }
        let specifier = declaration.bindingSpecifier
        let fix = FixIt.replace(specifier, by: "var", saying: "Make it 'var'")
        return [Diagnostic(.constant(name), at: specifier, fix: fix)]
    }

    private func missingTypeDiagnostics() -> [Diagnostic] {
        guard let binding = declaration.singleBinding, binding.typeAnnotation == nil,
            let pattern = binding.pattern.as(IdentifierPatternSyntax.self)
        else { return [] }
        let fix = binding.initializer?.value.inferredType.map { type in
            FixIt.replace(
                pattern.identifier, by: "\(pattern.identifier.text): \(type)", saying: "Add the type \(type)")
        }
        return [Diagnostic(.missingType(name), at: pattern, fix: fix)]
    }

    private func observerDiagnostics() -> [Diagnostic] {
        // The parts of a struct keep their storage, so observers work.
        if isPart { return [] }
        return (declaration.singleBinding?.accessorBlock?.observers ?? []).map { observer in
            let specifier = observer.accessorSpecifier
            return Diagnostic(.observed(name, observer: specifier.text), at: specifier)
        }
    }

    private func modifierDiagnostics() -> [Diagnostic] {
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

    private func repeatedMarkerDiagnostics() -> [Diagnostic] {
        guard let first = markers.first else { return [] }
        return markers.dropFirst().map { marker in
            let mistake: MacroError =
                marker.kind == first.kind
                ? .repeatedMarker(name, marker.kind.rawValue)
                : .twoMarkers(name, first.kind.rawValue, marker.kind.rawValue)
            return Diagnostic(mistake, at: marker.syntax, fix: .remove(marker.syntax, from: declaration))
        }
    }

    private func nameDiagnostics() -> [Diagnostic] {
        guard let pattern = declaration.singleBinding?.pattern, pattern.is(IdentifierPatternSyntax.self)
        else { return [] }
        if !ReservedNames.isValid(name) { return [Diagnostic(.invalidName(name), at: pattern)] }
        let reserved = isPart ? ReservedNames.parts : ReservedNames.properties
        return reserved.contains(name)
            ? [Diagnostic(.reservedName(name, isPart: isPart), at: pattern)] : []
    }
}

extension ExprSyntax {
    /// The type of a literal or an initializer call; nil for other expressions, whose types only the compiler knows.
    fileprivate var inferredType: String? {
        switch kind {
        case .integerLiteralExpr: "Int"
        case .floatLiteralExpr: "Double"
        case .booleanLiteralExpr: "Bool"
        case .stringLiteralExpr: "String"
        case .prefixOperatorExpr: self.as(PrefixOperatorExprSyntax.self)?.expression.inferredType
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
