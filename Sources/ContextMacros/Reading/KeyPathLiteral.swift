import SwiftSyntax

extension ExprSyntax {
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
