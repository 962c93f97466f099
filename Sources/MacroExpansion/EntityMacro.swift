import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Implements `@Entity`, which adds members to the class and `@ManagedProperty` to each stored property.
struct EntityMacro: MemberMacro {
    /// Formatting is disabled because the text is already formatted, and formatting takes a quarter of the expansion's time.
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) -> [DeclSyntax] {
        let checking = EntityChecking(declaration, attribute: node)
        for diagnostic in checking.classDiagnostics + checking.memberDiagnostics {
            context.diagnose(diagnostic)
        }
        guard checking.classDiagnostics.isEmpty, let declaration = declaration.as(ClassDeclSyntax.self) else {
            return []
        }
        let entity = EntityClass(declaration, attribute: node)
        let access = AccessLevel(of: declaration.modifiers, in: context.lexicalContext.first)
        let isExported = access >= .public && context.lexicalContext.allSatisfy(\.isExported)
        return EntityText(entity, access: access, isExported: isExported).members.map {
            DeclSyntax(stringLiteral: $0)
        }
    }
}

extension EntityMacro: MemberAttributeMacro {
    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingAttributesFor member: some DeclSyntaxProtocol, in context: some MacroExpansionContext
    ) -> [AttributeSyntax] {
        guard let declaration = declaration.as(ClassDeclSyntax.self),
            let variable = member.as(VariableDeclSyntax.self),
            variable.isVariable, !variable.isLazyOrWeak, let property = EntityProperty(variable),
            let rank = EntityClass(declaration, attribute: node).rank(of: property.name)
        else { return [] }
        return ["@ManagedProperty(\(literal: rank))"]
    }
}
