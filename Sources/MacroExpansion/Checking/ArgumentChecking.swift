import SwiftDiagnostics
import SwiftSyntax

/// Checks that the arguments of `@Entity`, `@Attribute` and `@Relationship` that the macros read are literals.
struct ArgumentChecking {
    private let attribute: AttributeSyntax

    init(_ attribute: AttributeSyntax) {
        self.attribute = attribute
    }

    func diagnostics() -> [Diagnostic] {
        booleanDiagnostics("isAbstract") + ["name", "renamedFrom", "hashModifier"].flatMap(stringDiagnostics)
    }

    private func booleanDiagnostics(_ label: String) -> [Diagnostic] {
        guard let value = attribute.argument(label), !value.is(BooleanLiteralExprSyntax.self) else {
            return []
        }
        return [Diagnostic(.nonLiteralArgument(label, form: "true or false"), at: value)]
    }

    private func stringDiagnostics(_ label: String) -> [Diagnostic] {
        guard let value = attribute.argument(label), !value.isStaticString else { return [] }
        return [
            Diagnostic(.nonLiteralArgument(label, form: "a string literal without interpolation"), at: value)
        ]
    }
}

extension ExprSyntax {
    /// Whether the expression is a string literal without interpolation.
    var isStaticString: Bool {
        self.as(StringLiteralExprSyntax.self)?.segments.allSatisfy { $0.is(StringSegmentSyntax.self) } == true
    }
}
