import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// Implements `@Attribute`, `@Relationship`, `@Transient` and `@Derived`, which `@Entity` and `@Composite` read.
///
/// They expand to nothing. All they do is to report that nobody reads them.
struct PropertyMarkerMacro: PeerMacro {
    /// The text is written as it should look; formatting it again would cost a quarter of the expansion.
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) -> [DeclSyntax] {
        let readers = context.lexicalContext.first?.asProtocol((any WithAttributesSyntax).self)?.attributes
        let isRead = ["Entity", "Composite"].contains { readers?.attributes(named: $0).isEmpty == false }
        if !isRead || !declaration.is(VariableDeclSyntax.self) {
            context.diagnose(Diagnostic(.misplacedMarker(node.lastName ?? ""), at: node))
        }
        return []
    }
}
