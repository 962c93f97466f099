import SwiftSyntax

/// Generates a property's default value, for the model and for the initializer.
struct DefaultValueText {
    private let property: EntityProperty

    init(_ property: EntityProperty) {
        self.property = property
    }

    /// The default for the model's description; nil if there is none.
    var description: String? {
        guard let value = property.defaultValue else { return nil }
        let text = value.trimmedDescription
        if isInsertionTime { return ".now" }
        if isNewUUID { return ".newUUID" }
        if let constant { return ".constant(\(constant.trimmedDescription))" }
        return value.isPlainLiteral && !property.type.isOptional && !property.isCodable
            ? text : ".constant(\(exactDecimal(value) ?? text))"
    }

    /// The default of the initializer's parameter; nil if the caller must pass a value.
    var parameterDefault: String? {
        if property.isToMany { return "[]" }
        guard let value = property.defaultValue else { return property.type.isOptional ? "nil" : nil }
        let text = exactDecimal(value) ?? value.trimmedDescription
        guard property.initialValue == nil else { return text }
        if isInsertionTime { return ".now" }
        if isNewUUID { return "UUID()" }
        return constant?.trimmedDescription ?? text
    }

    /// Whether the context computes a value for each object: the time of its insertion, or a new UUID.
    var isComputedPerObject: Bool { isInsertionTime || isNewUUID }

    /// Whether the default's expression is valid in other modules: a literal, the time of insertion, or a new UUID.
    ///
    /// Default arguments of a public function are part of its interface.
    var isVisibleToOtherModules: Bool {
        guard let value = property.defaultValue else { return true }
        return isComputedPerObject || (constant ?? value).isLiteral
    }

    /// Whether the macros can read the argument `default`; an initial value can be any expression.
    var isReadable: Bool {
        guard let value = property.marker?.argument("default") else { return true }
        return isComputedPerObject || constant != nil || value.isLiteral
            || value.is(StringLiteralExprSyntax.self)
    }

    /// The argument of `.constant(…)`.
    private var constant: ExprSyntax? {
        guard property.initialValue == nil, let call = property.defaultValue?.as(FunctionCallExprSyntax.self),
            ExprSyntax(call).memberName == "constant"
        else { return nil }
        return call.arguments.first?.expression
    }

    private var isInsertionTime: Bool {
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

    /// Returns a decimal number without rounding; Swift converts the literal 0.07 through a double to 0.07000000000000001024.
    private func exactDecimal(_ value: ExprSyntax) -> String? {
        property.type.name == "Decimal" ? DecimalLiteral(value)?.text : nil
    }
}

extension ExprSyntax {
    /// Whether the expression is a number, a Boolean or a string without interpolation.
    fileprivate var isPlainLiteral: Bool {
        isStaticString || [.integerLiteralExpr, .floatLiteralExpr, .booleanLiteralExpr].contains(kind)
    }

    /// Whether the expression and all its subexpressions are literals.
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
