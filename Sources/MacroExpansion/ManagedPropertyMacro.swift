import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Implements `@ManagedProperty`, which `@Entity` puts before each stored property: accessors that ask the base class.
struct ManagedPropertyMacro: AccessorMacro {
    /// The text is written as it should look; formatting it again would cost a quarter of the expansion.
    static var formatMode: FormatMode { .disabled }

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
        let slot = Self.slot(rank, behind: EntityClass(entity, attribute: node).superentity)
        return AccessorText(property, slot: slot).accessors.map { AccessorDeclSyntax(stringLiteral: $0) }
    }

    private static func slot(_ rank: String, behind superentity: String?) -> String {
        guard let superentity else { return rank }
        return rank == "0" ? "\(superentity).slotCount" : "\(superentity).slotCount + \(rank)"
    }

    /// Accessors of a property with a mistake, which `@Entity` has reported: they compile, so that the report stands alone.
    private static let ofMistake: [AccessorDeclSyntax] = ["    get { preconditionFailure() }", "    set {}"]
}
