import SwiftSyntax

extension ExprSyntax {
    /// The name of the root class of a key path literal, `Player` of `\Player.game`; nil if the literal omits it.
    var keyPathRoot: String? {
        guard let root = self.as(KeyPathExprSyntax.self)?.root else { return nil }
        return root.as(MemberTypeSyntax.self)?.name.text ?? root.trimmedDescription
    }

    /// The property names of a key path literal, `["game", "title"]` of `\.game?.title`; nil for other expressions.
    var keyPathNames: [String]? {
        guard let literal = self.as(KeyPathExprSyntax.self) else { return nil }
        var names: [String] = []
        for component in literal.components {
            switch component.component {
            case .property(let property): names.append(property.declName.baseName.text.withoutBackticks)
            case .optional: continue
            default: return nil
            }
        }
        return names.isEmpty ? nil : names
    }
}
