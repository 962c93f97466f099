import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Implements `@ManagedProperty`, which `@Entity` adds to each stored property and which generates accessors that call the base class.
struct ManagedPropertyMacro: AccessorMacro {
    /// Formatting is disabled because the text is already formatted, and formatting takes a quarter of the expansion's time.
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) -> [AccessorDeclSyntax] {
        guard let variable = declaration.as(VariableDeclSyntax.self), let property = EntityProperty(variable),
            let rank = node.labeledArguments.first?.expression.trimmedDescription
        else { return [] }
        let entity = context.lexicalContext.first?.as(ClassDeclSyntax.self)
        guard let entity, entity.isEntityClass, VariableChecking(variable).diagnostics().isEmpty else {
            return Self.placeholderAccessors
        }
        let slot = Self.slot(rank, after: EntityClass(entity, attribute: node).superentity)
        return AccessorText(property, slot: slot).accessors.map { AccessorDeclSyntax(stringLiteral: $0) }
    }

    private static func slot(_ rank: String, after superentity: String?) -> String {
        guard let superentity else { return rank }
        return rank == "0" ? "\(superentity).slotCount" : "\(superentity).slotCount + \(rank)"
    }

    /// Placeholder accessors for an invalid property.
    ///
    /// They compile, so the compiler reports only the error that `@Entity` has found.
    private static let placeholderAccessors: [AccessorDeclSyntax] = [
        "    get { preconditionFailure() }", "    set {}",
    ]
}
