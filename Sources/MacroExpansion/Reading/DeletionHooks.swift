import SwiftSyntax

extension EntityClass {
    /// The methods of `ManagedObject` that are called when an object is deleted.
    private static let deletionHooks: Set<String> = [
        "prepareForDeletion", "willSave", "validateForDelete", "didSave",
    ]

    /// Whether the class may override a deletion hook: it declares an override, or an `#if` or another macro may add one.
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
