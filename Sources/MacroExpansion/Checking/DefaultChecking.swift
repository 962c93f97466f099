import SwiftDiagnostics
import SwiftSyntax

/// Finds defaults that a model can't have: values that differ at each call, and expressions that the macros can't read.
///
/// A model has one default for all objects. The exceptions are the current time and a new UUID, if the default consists of nothing else:
/// the context computes them for each object.
struct DefaultChecking {
    let property: EntityProperty

    init(_ property: EntityProperty) {
        self.property = property
    }

    func diagnostics() -> [Diagnostic] {
        if let diagnostic = misplacedFormDiagnostic { return [diagnostic] }
        let initial = DefaultValueText(property)
        guard let value = property.defaultValue, !initial.isComputedPerObject else { return [] }
        let search = DefaultSearch(isDateProperty: property.type.name == "Date")
        search.walk(value)
        if let found = search.varyingCalls.first {
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
                    .replace(token, by: name, saying: "Replace 'Self' with \(name)")
                })
        }
    }

    /// The error about a form that only the argument `default` can have, written as an initial value.
    private var misplacedFormDiagnostic: Diagnostic? {
        guard let value = property.initialValue, !property.isCodable, let type = property.type.name,
            StandardTypes.values.contains(type)
        else { return nil }
        let text = value.trimmedDescription
        let form: String
        let replacement: String
        if type == "UUID", [".newUUID", "AttributeDefault.newUUID"].contains(text) {
            (form, replacement) = (".newUUID", "UUID()")
        } else if text.hasPrefix(".constant("), let call = value.as(FunctionCallExprSyntax.self),
            call.arguments.count == 1, let argument = call.arguments.first
        {
            (form, replacement) = (".constant", argument.expression.trimmedDescription)
        } else {
            return nil
        }
        return Diagnostic(
            .misplacedDefaultForm(property.name, form: form, replacement: replacement), at: value,
            fix: .replace(value, by: replacement, saying: "Write \(replacement)"))
    }

    /// Returns a fix-it that uses the time of insertion or a new UUID; nil unless the default is a call such as `Date()` or `UUID()`.
    private func fix(of value: ExprSyntax) -> FixIt? {
        if property.isCodable { return nil }
        let text = value.trimmedDescription.withoutFoundation
        switch property.type.name {
        case "Date"
        where ["Date()", "Date.now", "Date(timeIntervalSinceNow: 0)"].contains(text.unwrappedConstant):
            return .replace(value, by: ".now", saying: "Use the time of insertion")
        case "UUID" where text.unwrappedConstant == "UUID()":
            return .replace(value, by: ".newUUID", saying: "Use a new UUID")
        case "String" where text == "UUID().uuidString":
            return uuidFixIt(value)
        default: return nil
        }
    }

    private func uuidFixIt(_ value: ExprSyntax) -> FixIt {
        FixIt(
            message: MacroFixIt("Change the type to UUID"),
            changes: [
                .replacing(property.type.syntax, by: property.type.isOptional ? "UUID?" : "UUID"),
                .replacing(value, by: "UUID()"),
            ])
    }
}

/// Searches a default for calls that differ each time, and for `Self`.
private final class DefaultSearch: SyntaxVisitor {
    private(set) var varyingCalls: [ExprSyntax] = []
    private(set) var dynamicTypes: [TokenSyntax] = []

    private let isDateProperty: Bool

    /// - Parameter isOfDate: Whether the property is a `Date`, so that `.now` is the current time.
    init(isDateProperty: Bool) {
        self.isDateProperty = isDateProperty
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        let callee = node.calledExpression.trimmedDescription.withoutFoundation
        let type = callee.hasSuffix(".init") ? String(callee.dropLast(5)) : callee
        let label = node.arguments.first?.label?.text
        let isNew = ["Date", "UUID"].contains(type) && node.arguments.isEmpty && node.trailingClosure == nil
        guard isNew || label == "timeIntervalSinceNow" else { return .visitChildren }
        varyingCalls.append(ExprSyntax(node))
        return .skipChildren
    }

    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
        guard isVarying(node) else { return .visitChildren }
        varyingCalls.append(call(of: node) ?? ExprSyntax(node))
        return .skipChildren
    }

    private func isVarying(_ node: MemberAccessExprSyntax) -> Bool {
        switch node.declName.baseName.text {
        case "now":
            guard let base = node.base?.trimmedDescription.withoutFoundation else { return isDateProperty }
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
    /// The text without a leading `Foundation.` or `FoundationEssentials.`.
    var withoutFoundation: String {
        let module = ["FoundationEssentials.", "Foundation."].first { hasPrefix($0) }
        return module.map { String(dropFirst($0.count)) } ?? self
    }

    /// The argument of `.constant(…)`; other texts unchanged.
    fileprivate var unwrappedConstant: String {
        hasPrefix(".constant(") && hasSuffix(")")
            ? String(dropFirst(10).dropLast()).withoutFoundation : self
    }
}

extension VariableDeclSyntax {
    /// The name of the innermost enclosing class, if any.
    fileprivate var enclosingClassName: String? {
        var next = parent
        while let node = next {
            if let declaration = node.as(ClassDeclSyntax.self) { return declaration.name.text }
            next = node.parent
        }
        return nil
    }
}
