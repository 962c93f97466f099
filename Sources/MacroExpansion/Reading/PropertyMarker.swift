import SwiftSyntax

/// An attribute that declares the kind of a property.
struct PropertyMarker {
    enum Kind: String, CaseIterable {
        case attribute = "Attribute"
        case relationship = "Relationship"
        case transient = "Transient"
        case derived = "Derived"
    }

    let kind: Kind
    let syntax: AttributeSyntax

    init?(_ attribute: AttributeSyntax) {
        guard let name = attribute.unqualifiedName, let kind = Kind(rawValue: name) else { return nil }
        self.kind = kind
        syntax = attribute
    }

    /// The unlabeled arguments.
    var options: [ExprSyntax] {
        arguments.filter { $0.label == nil }.map(\.expression)
    }

    /// Returns the argument with a label; nil if it is missing.
    func argument(_ label: String) -> ExprSyntax? {
        syntax.argument(label)
    }

    /// Returns the option with a name, such as `.unique` or `.range(0...10)`; nil if it is missing.
    func option(_ name: String) -> ExprSyntax? {
        options.first { $0.memberName == name }
    }

    private var arguments: [LabeledExprSyntax] {
        syntax.labeledArguments
    }
}

extension AttributeSyntax {
    /// The attribute's name without its module.
    var unqualifiedName: String? {
        attributeName.as(IdentifierTypeSyntax.self)?.name.text
            ?? attributeName.as(MemberTypeSyntax.self)?.name.text
    }

    var labeledArguments: [LabeledExprSyntax] {
        arguments?.as(LabeledExprListSyntax.self).map(Array.init) ?? []
    }

    /// Returns the argument with a label; nil if it is missing or a nil literal.
    func argument(_ label: String) -> ExprSyntax? {
        let expression = labeledArguments.first { $0.label?.text == label }?.expression
        return expression?.is(NilLiteralExprSyntax.self) == true ? nil : expression
    }
}

extension AttributeListSyntax {
    /// Returns the attributes with a name in source order.
    func attributes(named name: String) -> [AttributeSyntax] {
        compactMap { $0.as(AttributeSyntax.self) }.filter { $0.unqualifiedName == name }
    }

    var markers: [PropertyMarker] {
        compactMap { $0.as(AttributeSyntax.self).flatMap(PropertyMarker.init) }
    }
}

extension ExprSyntax {
    /// The name after the last point: `unique` of `.unique`, and `range` of `.range(0...10)`.
    var memberName: String? {
        if let call = self.as(FunctionCallExprSyntax.self) { return call.calledExpression.memberName }
        return self.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    }
}
