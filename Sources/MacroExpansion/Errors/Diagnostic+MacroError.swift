import SwiftDiagnostics
import SwiftSyntax

extension Diagnostic {
    /// Creates an error at a node, which should be the invalid token rather than the whole declaration.
    init(_ mistake: MacroError, at node: some SyntaxProtocol, fix: FixIt? = nil) {
        self.init(node: Syntax(node), message: mistake, fixIts: fix.map { [$0] } ?? [])
    }
}

extension FixIt {
    /// Returns a fix-it that replaces a node, but not the white space and comments around it.
    static func replace(_ old: some SyntaxProtocol, by text: String, saying message: String) -> FixIt {
        FixIt(message: MacroFixIt(message), changes: [.replacing(old, by: text)])
    }

    /// Returns a fix-it that removes an attribute from a property.
    static func remove(_ attribute: AttributeSyntax, from declaration: VariableDeclSyntax) -> FixIt {
        let kept = declaration.attributes.filter { $0.id != attribute.id }
        return .replace(
            declaration, by: declaration.with(\.attributes, kept).trimmedDescription,
            saying: "Remove @\(attribute.unqualifiedName ?? "")")
    }

    /// Returns a fix-it that adds an attribute to a property, before the existing ones.
    static func add(_ attribute: String, to declaration: VariableDeclSyntax) -> FixIt {
        .replace(
            declaration, by: "\(attribute) \(declaration.trimmedDescription)", saying: "Add \(attribute)")
    }

    /// Returns a fix-it that removes an argument from an attribute.
    static func remove(_ label: String, from attribute: AttributeSyntax) -> FixIt {
        let kept = attribute.labeledArguments.filter { $0.label?.text != label }
            .map { $0.with(\.trailingComma, nil).trimmedDescription }
        let name = attribute.attributeName.trimmedDescription
        return .replace(
            attribute, by: kept.isEmpty ? "@\(name)" : "@\(name)(\(kept.joined(separator: ", ")))",
            saying: "Remove '\(label)'")
    }

    /// Returns a fix-it that adds an argument to an attribute, after the leading arguments for which `isBefore` returns true.
    static func add(
        _ argument: String, to attribute: AttributeSyntax, after isBefore: (LabeledExprSyntax) -> Bool
    ) -> FixIt {
        let arguments = attribute.labeledArguments
        let index = arguments.prefix(while: isBefore).count
        var texts = arguments.map { $0.with(\.trailingComma, nil).trimmedDescription }
        texts.insert(argument, at: index)
        let name = attribute.attributeName.trimmedDescription
        return .replace(
            attribute, by: "@\(name)(\(texts.joined(separator: ", ")))", saying: "Add '\(argument)'")
    }
}

extension FixIt.Change {
    /// Returns the change that replaces a node, but not the white space and comments around it.
    static func replacing(_ old: some SyntaxProtocol, by text: String) -> FixIt.Change {
        let token = TokenSyntax(
            .identifier(text), leadingTrivia: old.leadingTrivia, trailingTrivia: old.trailingTrivia,
            presence: .present)
        return .replace(oldNode: Syntax(old), newNode: Syntax(token))
    }
}
