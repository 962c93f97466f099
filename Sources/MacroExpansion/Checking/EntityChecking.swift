import SwiftDiagnostics
import SwiftSyntax

/// Finds errors in a declaration with `@Entity`.
struct EntityChecking {
    /// Errors in the class as a whole; if there are any, the macro generates nothing.
    let classDiagnostics: [Diagnostic]
    /// Errors in arguments and properties, in source order; the macro still generates the members of valid properties.
    let memberDiagnostics: [Diagnostic]

    init(_ declaration: some DeclGroupSyntax, attribute: AttributeSyntax) {
        guard let declaration = declaration.as(ClassDeclSyntax.self) else {
            classDiagnostics = [Self.notAClass(declaration, attribute)]
            memberDiagnostics = []
            return
        }
        classDiagnostics = Self.diagnostics(in: declaration)
        let entity = EntityClass(declaration, attribute: attribute)
        memberDiagnostics =
            ArgumentChecking(attribute).diagnostics()
            + declaration.memberBlock.members.flatMap { Self.diagnostics(in: $0.decl, of: entity) }
            + PathChecking(entity).diagnostics() + CircularInverseChecking(entity).diagnostics()
    }

    private static func diagnostics(in declaration: ClassDeclSyntax)
        -> [Diagnostic]
    {
        let name = declaration.name.text
        var found: [Diagnostic] = []
        if let repeated = declaration.attributes.attributes(named: "Entity").dropFirst().first {
            return [Diagnostic(.repeatedEntity(name), at: repeated)]
        }
        if let generics = declaration.genericParameterClause {
            found.append(Diagnostic(.genericEntity(name), at: generics))
        }
        if declaration.superclass == nil {
            found.append(
                Diagnostic(.missingSuperclass(name), at: declaration.name, fix: superclassFixIt(declaration)))
        }
        for inherited in declaration.inheritanceClause?.inheritedTypes ?? [] {
            let type = inherited.type.as(AttributedTypeSyntax.self)?.baseType ?? inherited.type
            guard ["Sendable", "Swift.Sendable"].contains(type.trimmedDescription) else { continue }
            found.append(Diagnostic(.sendableEntity(name), at: inherited.type))
        }
        return found
    }

    private static func diagnostics(in member: DeclSyntax, of entity: EntityClass) -> [Diagnostic] {
        if let variable = member.as(VariableDeclSyntax.self) {
            return generatedMemberDiagnostics(variable) + VariableChecking(variable).diagnostics()
        }
        guard let condition = member.as(IfConfigDeclSyntax.self) else { return [] }
        return conditionalVariables(in: condition).map { variable in
            Diagnostic(.conditionalProperty(variable.bindings.names), at: variable.bindings)
        }
    }

    /// Finds a static property with the name of a member that the macro generates.
    private static func generatedMemberDiagnostics(_ variable: VariableDeclSyntax) -> [Diagnostic] {
        let generated = ["entityName", "slotNames", "slotCount", "entityDescription"]
        guard variable.isTypeProperty, let pattern = variable.bindings.first?.pattern,
            generated.contains(pattern.trimmedDescription)
        else { return [] }
        return [Diagnostic(.generatedMember(pattern.trimmedDescription), at: pattern)]
    }

    /// Returns the stored properties in an `#if`, including those in nested ones.
    private static func conditionalVariables(in condition: IfConfigDeclSyntax) -> [VariableDeclSyntax] {
        condition.clauses.flatMap { clause -> [VariableDeclSyntax] in
            guard case .decls(let members) = clause.elements else { return [] }
            return members.flatMap { member -> [VariableDeclSyntax] in
                if let nested = member.decl.as(IfConfigDeclSyntax.self) {
                    return conditionalVariables(in: nested)
                }
                guard let variable = member.decl.as(VariableDeclSyntax.self), variable.isStoredInInstance
                else { return [] }
                return [variable]
            }
        }
    }
}

extension EntityChecking {
    private static func notAClass(_ declaration: some DeclGroupSyntax, _ attribute: AttributeSyntax)
        -> Diagnostic
    {
        if let structure = declaration.as(StructDeclSyntax.self) {
            return Diagnostic(
                .notAClass(structure.name.text, kind: "a struct"), at: structure.structKeyword,
                fix: classFixIt(structure.structKeyword, structure.name, structure.inheritanceClause))
        }
        if let actor = declaration.as(ActorDeclSyntax.self) {
            return Diagnostic(
                .notAClass(actor.name.text, kind: "an actor"), at: actor.actorKeyword,
                fix: classFixIt(actor.actorKeyword, actor.name, actor.inheritanceClause))
        }
        let kind = declaration.kindWithArticle
        return Diagnostic(.notAClass(declaration.nameText, kind: kind), at: declaration.introducer)
    }

    private static func classFixIt(
        _ keyword: TokenSyntax, _ name: TokenSyntax, _ inheritance: InheritanceClauseSyntax?
    ) -> FixIt {
        FixIt(
            message: MacroFixIt("Change it to a class of managed objects"),
            changes: [.replacing(keyword, by: "final class"), inheritanceChange(name, inheritance)])
    }

    private static func superclassFixIt(_ declaration: ClassDeclSyntax) -> FixIt {
        FixIt(
            message: MacroFixIt("Inherit from ManagedObject"),
            changes: [inheritanceChange(declaration.name, declaration.inheritanceClause)])
    }

    private static func inheritanceChange(_ name: TokenSyntax, _ inheritance: InheritanceClauseSyntax?)
        -> FixIt.Change
    {
        guard let first = inheritance?.inheritedTypes.first else {
            return .replacing(name, by: "\(name.text): ManagedObject")
        }
        return .replacing(first, by: "ManagedObject, \(first.trimmedDescription)")
    }
}

extension DeclGroupSyntax {
    /// The kind of the declaration with an article, for messages.
    var kindWithArticle: String {
        switch kind {
        case .structDecl: "a struct"
        case .classDecl: "a class"
        case .actorDecl: "an actor"
        case .enumDecl: "an enum"
        case .protocolDecl: "a protocol"
        default: "an extension"
        }
    }

    /// The declaration's name, or that of the extended type.
    var nameText: String {
        if let named = asProtocol((any NamedDeclSyntax).self) { return named.name.text }
        return self.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription ?? ""
    }
}

extension PatternBindingListSyntax {
    /// The declared names, separated by commas.
    var names: String {
        map { $0.pattern.trimmedDescription.withoutBackticks }.joined(separator: ", ")
    }
}
