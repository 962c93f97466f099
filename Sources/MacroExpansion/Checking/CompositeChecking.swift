import SwiftDiagnostics
import SwiftSyntax

/// Finds errors in a declaration with `@Composite`.
struct CompositeChecking {
    let diagnostics: [Diagnostic]

    init(_ declaration: some DeclGroupSyntax) {
        guard let declaration = declaration.as(StructDeclSyntax.self) else {
            let mistake = MacroError.notAStruct(declaration.nameText, kind: declaration.kindWithArticle)
            diagnostics = [Diagnostic(mistake, at: declaration.introducer)]
            return
        }
        let variables = declaration.memberBlock.members.compactMap { $0.decl.as(VariableDeclSyntax.self) }
        let partDiagnostics = variables.flatMap(Self.diagnostics)
        diagnostics =
            Self.genericParameterDiagnostics(of: declaration) + partDiagnostics
            + (partDiagnostics.isEmpty ? Self.partListDiagnostics(of: declaration) : [])
    }

    private static func genericParameterDiagnostics(of declaration: StructDeclSyntax) -> [Diagnostic] {
        declaration.genericParameterClause.map {
            [Diagnostic(.genericComposite(declaration.name.text), at: $0)]
        } ?? []
    }

    /// Finds a missing part or a missing memberwise initializer.
    private static func partListDiagnostics(of declaration: StructDeclSyntax) -> [Diagnostic] {
        let composite = CompositeStruct(declaration)
        if composite.parts.isEmpty {
            return [Diagnostic(.emptyComposite(composite.name), at: declaration.name)]
        }
        guard !composite.hasMemberwiseInitializer else { return [] }
        let labels = composite.parts.map { "\($0.name):" }.joined()
        return [Diagnostic(.missingInitializer(composite.name, labels: labels), at: declaration.name)]
    }

    private static func diagnostics(in variable: VariableDeclSyntax) -> [Diagnostic] {
        let isFixed = !variable.isVariable && variable.isStoredInInstance
        if isFixed, let value = variable.singleBinding?.initializer {
            return [Diagnostic(.fixedPart(variable.bindings.names), at: value.value)]
        }
        // The parts of a struct may be constants, because a new value replaces the whole struct.
        let found = VariableChecking(variable, isPart: true).diagnostics()
        guard found.isEmpty, let part = EntityProperty(variable) else { return found }
        if let marker = part.marker, marker.kind != .attribute {
            let mistake: MacroError =
                marker.kind == .relationship
                ? .relationshipPart(part.name) : .markedPart(part.name, marker: marker.kind.rawValue)
            return [Diagnostic(mistake, at: marker.syntax)]
        }
        guard let marker = part.marker else { return [] }
        if part.isCodable || part.transformer != nil {
            return [Diagnostic(.encodedPart(part.name), at: marker.syntax)]
        }
        return ["unique", "indexed"].compactMap { name in
            marker.option(name).map { Diagnostic(.constrainedPart(part.name, option: name), at: $0) }
        }
    }
}
