import SwiftSyntax

extension ExprSyntax {
    /// The name of the class that a key path literal begins with, `Player` of `\Player.game`; nil where it leaves that out.
    var keyPathRoot: String? {
        guard let root = self.as(KeyPathExprSyntax.self)?.root else { return nil }
        return root.as(MemberTypeSyntax.self)?.name.text ?? root.trimmedDescription
    }

    /// The names that a key path literal leads through, `["game", "title"]` of `\.game?.title`; nil for anything else.
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
