import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Implements `@ManagedProperty`, which `@Entity` puts before each stored property: accessors that ask the base class.
struct ManagedPropertyMacro: AccessorMacro {
    static func expansion(
        of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) -> [AccessorDeclSyntax] {
        guard let variable = declaration.as(VariableDeclSyntax.self), let property = EntityProperty(variable),
            let rank = node.labeledArguments.first?.expression.trimmedDescription
        else { return [] }
        let entity = context.lexicalContext.first?.as(ClassDeclSyntax.self)
        guard let entity, entity.isEntityClass, VariableChecking(variable).mistakes().isEmpty else {
            return Self.ofMistake
        }
        let superentity = EntityClass(entity, attribute: node).superentity
        let slot = superentity.map { "\($0).slotCount + \(rank)" } ?? rank
        return AccessorText(property, slot: slot).accessors.map { AccessorDeclSyntax(stringLiteral: $0) }
    }

    /// Accessors of a property with a mistake, which `@Entity` has reported: they compile, so that the report stands alone.
    private static let ofMistake: [AccessorDeclSyntax] = ["get { preconditionFailure() }", "set {}"]
}
