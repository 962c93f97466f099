import SwiftSyntax

/// One of the attributes that say what kind of property follows.
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
        guard let name = attribute.lastName, let kind = Kind(rawValue: name) else { return nil }
        self.kind = kind
        syntax = attribute
    }

    /// The arguments without a label.
    var options: [ExprSyntax] {
        arguments.filter { $0.label == nil }.map(\.expression)
    }

    /// Returns the argument with a label; nil when it isn't given.
    func argument(_ label: String) -> ExprSyntax? {
        syntax.argument(label)
    }

    /// Returns an option's expression by its name: that of `.unique`, `.range(0...10)` and the like.
    func option(_ name: String) -> ExprSyntax? {
        options.first { $0.memberName == name }
    }

    private var arguments: [LabeledExprSyntax] {
        syntax.labeledArguments
    }
}

extension AttributeSyntax {
    /// The attribute's name without a module before it.
    var lastName: String? {
        attributeName.as(IdentifierTypeSyntax.self)?.name.text
            ?? attributeName.as(MemberTypeSyntax.self)?.name.text
    }

    var labeledArguments: [LabeledExprSyntax] {
        arguments?.as(LabeledExprListSyntax.self).map(Array.init) ?? []
    }

    /// Returns the argument with a label; nil when it isn't given, or is nil, which says as much.
    func argument(_ label: String) -> ExprSyntax? {
        let expression = labeledArguments.first { $0.label?.text == label }?.expression
        return expression?.is(NilLiteralExprSyntax.self) == true ? nil : expression
    }
}

extension AttributeListSyntax {
    /// The attributes with a name, in the order they are written.
    func attributes(named name: String) -> [AttributeSyntax] {
        compactMap { $0.as(AttributeSyntax.self) }.filter { $0.lastName == name }
    }

    var markers: [PropertyMarker] {
        compactMap { $0.as(AttributeSyntax.self).flatMap(PropertyMarker.init) }
    }
}

extension ExprSyntax {
    /// The name behind the last point: `unique` of `.unique`, and `range` of `.range(0...10)`.
    var memberName: String? {
        if let call = self.as(FunctionCallExprSyntax.self) { return call.calledExpression.memberName }
        return self.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    }
}
