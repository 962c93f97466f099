import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Implements `@Composite`, which adds the conformance to `CompositeValue` to a struct.
struct CompositeMacro: ExtensionMacro {
    /// Formatting is disabled because the text is already formatted.
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) -> [ExtensionDeclSyntax] {
        let diagnostics = CompositeChecking(declaration).diagnostics
        for diagnostic in diagnostics { context.diagnose(diagnostic) }
        guard diagnostics.isEmpty, let declaration = declaration.as(StructDeclSyntax.self) else { return [] }
        let access = AccessLevel(of: declaration.modifiers, in: context.lexicalContext.first)
        let text = CompositeText(declaration, named: type.trimmedDescription, access: access).text
        return [DeclSyntax(stringLiteral: text).as(ExtensionDeclSyntax.self)].compactMap(\.self)
    }
}
