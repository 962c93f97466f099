import SwiftDiagnostics
import SwiftSyntax

/// Finds defaults that the model can't keep: what differs from call to call, and what the macros can't read.
///
/// A model has one default for all objects. A moment and a new UUID are the two that are made anew for each, and only where they
/// are the whole default.
struct DefaultChecking {
    let property: EntityProperty

    init(_ property: EntityProperty) {
        self.property = property
    }

    func mistakes() -> [Diagnostic] {
        let initial = InitialText(property)
        guard let value = property.defaultValue, !initial.isAskedForAnew else { return [] }
        let search = DefaultSearch(isOfDate: property.type.name == "Date")
        search.walk(value)
        if let found = search.varying.first {
            return [
                Diagnostic(
                    .varyingDefault(property.name, found.trimmedDescription), at: found,
                    fix: fix(of: value))
            ]
        }
        if !initial.isReadable { return [Diagnostic(.unreadableDefault(property.name), at: value)] }
        return search.dynamicTypes.prefix(1).map { token in
            Diagnostic(
                .dynamicDefault(property.name), at: token,
                fix: property.declaration.enclosingClassName.map { name in
                    .replace(token, by: name, saying: "Name \(name)")
                })
        }
    }

    /// What is meant, where that is plain: the moment of insertion, a new UUID.
    private func fix(of value: ExprSyntax) -> FixIt? {
        if property.isCodable { return nil }
        let text = value.trimmedDescription.withoutFoundation
        switch property.type.name {
        case "Date"
        where ["Date()", "Date.now", "Date(timeIntervalSinceNow: 0)"].contains(text.unwrappedConstant):
            return .replace(value, by: ".now", saying: "Begin with the moment of insertion")
        case "UUID" where text.unwrappedConstant == "UUID()":
            return .replace(value, by: ".newUUID", saying: "Begin with a new UUID")
        case "String" where text == "UUID().uuidString":
            return makeUUID(value)
        default: return nil
        }
    }

    private func makeUUID(_ value: ExprSyntax) -> FixIt {
        FixIt(
            message: Remedy("Make it a UUID"),
            changes: [
                .replacing(property.type.syntax, by: property.type.isOptional ? "UUID?" : "UUID"),
                .replacing(value, by: "UUID()"),
            ])
    }
}

/// Looks through a default for what gives another value each time, and for `Self`.
private final class DefaultSearch: SyntaxVisitor {
    private(set) var varying: [ExprSyntax] = []
    private(set) var dynamicTypes: [TokenSyntax] = []

    private let isOfDate: Bool

    /// - Parameter isOfDate: Whether what begins with a point is a member of `Date`.
    init(isOfDate: Bool) {
        self.isOfDate = isOfDate
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        let callee = node.calledExpression.trimmedDescription.withoutFoundation
        let type = callee.hasSuffix(".init") ? String(callee.dropLast(5)) : callee
        let label = node.arguments.first?.label?.text
        let isNew = ["Date", "UUID"].contains(type) && node.arguments.isEmpty && node.trailingClosure == nil
        guard isNew || label == "timeIntervalSinceNow" else { return .visitChildren }
        varying.append(ExprSyntax(node))
        return .skipChildren
    }

    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
        guard isVarying(node) else { return .visitChildren }
        varying.append(call(of: node) ?? ExprSyntax(node))
        return .skipChildren
    }

    private func isVarying(_ node: MemberAccessExprSyntax) -> Bool {
        switch node.declName.baseName.text {
        case "now":
            guard let base = node.base?.trimmedDescription.withoutFoundation else { return isOfDate }
            return ["Date", "ContinuousClock", "SuspendingClock", "DispatchTime"].contains(base)
        case "random", "randomElement", "shuffled": return call(of: node) != nil
        default: return false
        }
    }

    private func call(of node: MemberAccessExprSyntax) -> ExprSyntax? {
        let call = node.parent?.as(FunctionCallExprSyntax.self)
        return call?.calledExpression.id == node.id ? call.map(ExprSyntax.init) : nil
    }

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        if node.baseName.tokenKind == .keyword(.Self) { dynamicTypes.append(node.baseName) }
        return .skipChildren
    }
}

extension String {
    /// The text without the modules that standard types are in.
    var withoutFoundation: String {
        let module = ["FoundationEssentials.", "Foundation."].first { hasPrefix($0) }
        return module.map { String(dropFirst($0.count)) } ?? self
    }

    /// What stands in the parentheses of `.constant(…)`; the text itself where it isn't one.
    fileprivate var unwrappedConstant: String {
        hasPrefix(".constant(") && hasSuffix(")")
            ? String(dropFirst(10).dropLast()).withoutFoundation : self
    }
}

extension VariableDeclSyntax {
    /// The name of the class that it is declared in, where the class is known.
    fileprivate var enclosingClassName: String? {
        var next = parent
        while let node = next {
            if let declaration = node.as(ClassDeclSyntax.self) { return declaration.name.text }
            next = node.parent
        }
        return nil
    }
}
