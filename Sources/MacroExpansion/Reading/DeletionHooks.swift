import SwiftSyntax

extension EntityClass {
    /// The methods of `ManagedObject` that have a word in the deletion of an object.
    private static let deletionHooks: Set<String> = [
        "prepareForDeletion", "willSave", "validateForDelete", "didSave",
    ]

    /// Whether the class may override a hook of a deletion: whether it does where that can be seen, or something else may do it.
    var mayHaveDeletionHooks: Bool {
        let hasOtherMacros = declaration.attributes.contains {
            guard let name = $0.as(AttributeSyntax.self)?.attributeName.trimmedDescription else {
                return true
            }
            return !["Entity", "ContextCore.Entity", "available"].contains(name)
        }
        return hasOtherMacros
            || declaration.memberBlock.members.contains { member in
                if member.decl.is(IfConfigDeclSyntax.self) || member.decl.is(MacroExpansionDeclSyntax.self) {
                    return true
                }
                return member.decl.as(FunctionDeclSyntax.self).map {
                    Self.deletionHooks.contains($0.name.text.withoutBackticks)
                } ?? false
            }
    }
}
