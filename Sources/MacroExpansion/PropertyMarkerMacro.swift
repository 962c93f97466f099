import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// Implements `@Attribute`, `@Relationship`, `@Transient` and `@Derived`, which `@Entity` and `@Composite` read.
///
/// They generate nothing, and report an error if they are not in a type with `@Entity` or `@Composite`.
struct PropertyMarkerMacro: PeerMacro {
    /// Formatting is disabled because the text is already formatted, and formatting takes a quarter of the expansion's time.
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) -> [DeclSyntax] {
        let readers = context.lexicalContext.first?.asProtocol((any WithAttributesSyntax).self)?.attributes
        let isRead = ["Entity", "Composite"].contains { readers?.attributes(named: $0).isEmpty == false }
        if !isRead || !declaration.is(VariableDeclSyntax.self) {
            context.diagnose(Diagnostic(.misplacedMarker(node.unqualifiedName ?? ""), at: node))
        }
        return []
    }
}
