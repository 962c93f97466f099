import SwiftSyntax

/// Writes what a new object's property begins with: once for the model, once for the initialiser.
struct InitialText {
    private let property: EntityProperty

    init(_ property: EntityProperty) {
        self.property = property
    }

    /// The value for the model's description, an `InitialValue`; nil when there is none.
    var description: String? {
        guard let value = property.defaultValue else { return nil }
        let text = value.trimmedDescription
        if isMoment { return ".now" }
        if isNewUUID { return ".newUUID" }
        if let constant { return ".constant(\(constant.trimmedDescription))" }
        return value.isPlainLiteral && !property.type.isOptional && !property.isCodable
            ? text : ".constant(\(exact(value) ?? text))"
    }

    /// The default of the initialiser's parameter; nil when the caller must give a value.
    var parameterDefault: String? {
        if property.isToMany { return "[]" }
        guard let value = property.defaultValue else { return property.type.isOptional ? "nil" : nil }
        let text = exact(value) ?? value.trimmedDescription
        guard property.initialValue == nil else { return text }
        if isMoment { return ".now" }
        if isNewUUID { return "UUID()" }
        return constant?.trimmedDescription ?? text
    }

    /// Whether every object is asked for a value of its own: the moment of its insertion, or a UUID.
    var isAskedForAnew: Bool { isMoment || isNewUUID }

    /// Whether everybody who sees the class can see what the default is made of: literals, and what the macros know.
    ///
    /// The defaults of a public function's parameters belong to what other modules see of it.
    var isSeenByAll: Bool {
        guard let value = property.defaultValue else { return true }
        return isAskedForAnew || (constant ?? value).isLiteral
    }

    /// Whether the argument `default` says what the macros can read; an initial value is any expression.
    var isReadable: Bool {
        guard let value = property.marker?.argument("default") else { return true }
        return isAskedForAnew || constant != nil || value.isLiteral || value.is(StringLiteralExprSyntax.self)
    }

    /// What stands in the parentheses of `.constant(…)`.
    private var constant: ExprSyntax? {
        guard property.initialValue == nil, let call = property.defaultValue?.as(FunctionCallExprSyntax.self),
            ExprSyntax(call).memberName == "constant"
        else { return nil }
        return call.arguments.first?.expression
    }

    private var isMoment: Bool {
        guard !property.isCodable, property.type.name == "Date", let text = value else { return false }
        return property.initialValue == nil
            ? [".now", "AttributeDefault.now"].contains(text)
            : [".now", "Date.now", "Date()", ".init()", "Date.init()"].contains(text)
    }

    private var isNewUUID: Bool {
        guard !property.isCodable, property.type.name == "UUID", let text = value else { return false }
        return property.initialValue == nil
            ? [".newUUID", "AttributeDefault.newUUID"].contains(text)
            : ["UUID()", ".init()", "UUID.init()"].contains(text)
    }

    private var value: String? { property.defaultValue?.trimmedDescription.withoutFoundation }

    /// A decimal number that is the literal's own; Swift goes by way of a double, and makes 0.07000000000000001024 of 0.07.
    private func exact(_ value: ExprSyntax) -> String? {
        property.type.name == "Decimal" ? DecimalLiteral(value)?.text : nil
    }
}

extension ExprSyntax {
    /// Whether it is a number, a truth value or text without interpolation.
    fileprivate var isPlainLiteral: Bool {
        isPlainText || [.integerLiteralExpr, .floatLiteralExpr, .booleanLiteralExpr].contains(kind)
    }

    /// Whether it is a literal, and so is everything in it.
    fileprivate var isLiteral: Bool {
        if let array = self.as(ArrayExprSyntax.self) {
            return array.elements.allSatisfy(\.expression.isLiteral)
        }
        if let dictionary = self.as(DictionaryExprSyntax.self) {
            guard case .elements(let elements) = dictionary.content else { return true }
            return elements.allSatisfy { $0.key.isLiteral && $0.value.isLiteral }
        }
        if let negation = self.as(PrefixOperatorExprSyntax.self), negation.operator.text == "-" {
            return negation.expression.isLiteral
        }
        return isPlainLiteral || self.is(NilLiteralExprSyntax.self)
    }
}
